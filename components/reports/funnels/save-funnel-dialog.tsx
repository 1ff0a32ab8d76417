"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { SavedFunnel, SavedStep } from "@/components/reports/funnels/funnel-form";
import { SaveDialog } from "@/components/reports/save-dialog";
import { Field } from "@/components/ui/field";
import { bothOf } from "@/components/ui/form-problems";
import { Select } from "@/components/ui/select";
import { msg, t } from "@/lib/texts/translate";

const UNITS = [
  { value: "1", label: msg("Minutes") },
  { value: "60", label: msg("Hours") },
  { value: "1440", label: msg("Days") },
];

interface Props {
  siteId: number;
  /** The saved funnel to change; null for a new one. */
  saved: SavedFunnel | null;
  steps: SavedStep[];
  onSaved(id: string): void;
  onCancel(): void;
}

/** Dialog to save a funnel with its name, conversion window and step names. */
export default function SaveFunnelDialog({ siteId, saved, steps, onSaved, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.funnels.save", {
    fields: ["name", "window_minutes", "steps.*.name", "steps.*.pattern"],
  });
  const [window, setWindow] = useState(() => inUnits(saved?.windowMinutes ?? 1440));
  const faults = steps.map((_, index) =>
    bothOf(problems.fields[`steps.${index}.name`], problems.fields[`steps.${index}.pattern`]),
  );

  async function save(named: { id: string | null; name: string }, typed: FormData) {
    const done = await perform({
      site_id: siteId,
      ...named,
      window_minutes: Number(window.count) * Number(window.unit),
      steps: steps.map(({ kind, pattern }, index) => {
        const name = String(typed.get(`steps.${index}.name`)).trim();
        return { kind, pattern, ...(name ? { name } : {}) };
      }),
    });
    if (done) onSaved(String(done.id));
  }

  return (
    <SaveDialog
      saved={saved}
      title={saved ? t("Save {name}", { name: saved.name }) : t("Save funnel")}
      about={t("Everyone with access to the site can see it.")}
      problems={problems}
      busy={busy}
      onSave={save}
      onCancel={onCancel}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] gap-3">
        <Field
          label={t("Conversion window")}
          inputMode="numeric"
          value={window.count}
          onChange={({ target }) => setWindow({ ...window, count: target.value })}
          autoComplete="off"
          problem={problems.fields.window_minutes}
        />
        <Select
          label={t("Unit")}
          choices={UNITS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={window.unit}
          onChange={({ target }) => setWindow({ ...window, unit: target.value })}
        />
      </div>
      <fieldset className="space-y-3">
        <legend className="mb-2 text-sm text-muted">{t("Step names, shown instead of the patterns")}</legend>
        {steps.map(({ pattern, name }, index) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
            key={index}
            label={t("Step {number}", { number: index + 1 })}
            optional
            name={`steps.${index}.name`}
            defaultValue={name}
            placeholder={pattern}
            autoComplete="off"
            maxLength={100}
            problem={faults[index]}
          />
        ))}
      </fieldset>
    </SaveDialog>
  );
}

/** Converts a window to the largest unit in which it is a whole number. */
function inUnits(minutes: number): { count: string; unit: string } {
  const unit = [1440, 60, 1].find((size) => minutes % size === 0) ?? 1;
  return { count: String(minutes / unit), unit: String(unit) };
}
