"use client";

import { type FormEvent, useState } from "react";
import { Suggested } from "@/components/reports/suggestions";
import { useGo } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { InputFrame, inputLook } from "@/components/ui/field";
import { ReadyFields } from "@/components/ui/ready-fields";
import { type Choice, Select } from "@/components/ui/select";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  metrics: (Choice & { about: string })[];
  dimensions: Choice[];
  chosenMetrics: string[];
  chosenDimensions: string[];
  /** Names of the site's goals. */
  goals: string[];
  chosenGoal: string;
}

const LABELS = [msg("Dimension 1"), msg("Dimension 2")];
const PROPERTY = "prop:";

/** Form for the metrics and dimensions of the explore report. */
export function ExploreForm({
  siteId,
  metrics,
  dimensions,
  chosenMetrics,
  chosenDimensions,
  goals,
  chosenGoal,
}: Props) {
  const go = useGo();
  const property = chosenDimensions.find((key) => key.startsWith(PROPERTY))?.slice(PROPERTY.length) ?? "";
  const chosen = chosenDimensions.filter((key) => !key.startsWith(PROPERTY));
  const [typed, setTyped] = useState(property);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const named = `${form.get("property") ?? ""}`.trim();
    const keys = [...form.getAll("dimension").map(String), named && `${PROPERTY}${named}`];
    const dimensionKeys = [...new Set(keys)].filter(Boolean).join(",");
    const metricKeys = form.getAll("metric").map(String);
    go({
      ...{
        metrics: metricKeys.join(",") || null,
        dimensions: dimensionKeys || null,
        goal: `${form.get("goal") ?? ""}` || null,
      },
      ...{ sort: null, page: null },
    });
  }

  return (
    <form onSubmit={submit} className="card p-4">
      <ReadyFields className="min-w-0 space-y-3">
        <fieldset>
          <legend className="text-sm font-medium">{t("Metrics")}</legend>
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
                label={t(label)}
                name="dimension"
                choices={[{ value: "", label: t("None") }, ...dimensions]}
                defaultValue={chosen[index] ?? ""}
              />
            </div>
          ))}
          <div className="min-w-0 flex-1 basis-40">
            <InputFrame label={t("Custom property")}>
              {(attributes) => (
                <Suggested
                  {...attributes}
                  siteId={siteId}
                  field="prop"
                  name="property"
                  maxLength={255}
                  placeholder={t("plan")}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                  className={inputLook}
                />
              )}
            </InputFrame>
          </div>
          {(goals.length > 0 || chosenGoal) && (
            <div className="min-w-0 flex-1 basis-40">
              <Select
                label={t("Conversions of")}
                name="goal"
                choices={[
                  { value: "", label: t("Any goal") },
                  ...[...new Set([...goals, chosenGoal])].filter(Boolean).map((name) => ({ value: name, label: name })),
                ]}
                defaultValue={chosenGoal}
              />
            </div>
          )}
          <Button type="submit">{t("Show")}</Button>
        </div>
      </ReadyFields>
    </form>
  );
}
