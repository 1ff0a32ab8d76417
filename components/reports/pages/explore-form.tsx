"use client";

import type { FormEvent } from "react";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { type Choice, Select } from "@/components/ui/select";

interface Props {
  metrics: (Choice & { about: string })[];
  dimensions: Choice[];
  chosenMetrics: string[];
  chosenDimensions: string[];
}

const PLACES = ["By", "then by", "and by"];
const NOTHING: Choice = { value: "", label: "Nothing" };

/** Which numbers, told by what. */
export function ExploreForm({ metrics, dimensions, chosenMetrics, chosenDimensions }: Props) {
  const href = useViewHref();
  const go = useGo();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const by = [...new Set(typed.getAll("dimension").map(String))].filter(Boolean);
    const told = typed.getAll("metric").map(String);
    go(href({ metrics: told.join(",") || null, dimensions: by.join(",") || null, sort: null, page: null }));
  }

  return (
    <form onSubmit={submit} className="card space-y-3 p-4">
      <fieldset>
        <legend className="text-sm font-medium">Numbers</legend>
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
        {PLACES.map((place, index) => (
          <div key={place} className="min-w-0 flex-1 basis-40">
            <Select
              label={place}
              name="dimension"
              choices={[NOTHING, ...dimensions]}
              defaultValue={chosenDimensions[index] ?? NOTHING.value}
            />
          </div>
        ))}
        <Button type="submit">Show</Button>
      </div>
    </form>
  );
}
