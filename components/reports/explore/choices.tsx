"use client";

import type { FormEvent } from "react";
import { useGo } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { type Choice, Select } from "@/components/ui/select";

interface Props {
  metrics: (Choice & { about: string })[];
  dimensions: Choice[];
  chosenMetrics: string[];
  chosenDimensions: string[];
}

const LABELS = ["Dimension 1", "Dimension 2", "Dimension 3"];
const NONE: Choice = { value: "", label: "None" };

/** Form for the metrics and dimensions of the explore report. */
export function ExploreForm({ metrics, dimensions, chosenMetrics, chosenDimensions }: Props) {
  const go = useGo();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const dimensionKeys = [...new Set(typed.getAll("dimension").map(String))].filter(Boolean).join(",");
    const metricKeys = typed.getAll("metric").map(String).join(",");
    go({ metrics: metricKeys || null, dimensions: dimensionKeys || null, sort: null, page: null });
  }

  return (
    <form onSubmit={submit} className="card space-y-3 p-4">
      <fieldset>
        <legend className="text-sm font-medium">Metrics</legend>
        <div className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1.5">
          {metrics.map(({ value, label, about }) => (
            <label key={value} className="flex items-center gap-2 text-sm" title={about}>
              <input
                type="checkbox"
                name="metric"
                value={value}
                defaultChecked={chosenMetrics.includes(value)}
                className="size-4 accent-accent"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-end gap-2">
        {LABELS.map((label, index) => (
          <div key={label} className="min-w-0 flex-1 basis-40">
            <Select
              label={label}
              name="dimension"
              choices={[NONE, ...dimensions]}
              defaultValue={chosenDimensions[index] ?? NONE.value}
            />
          </div>
        ))}
        <Button type="submit">Show</Button>
      </div>
    </form>
  );
}
