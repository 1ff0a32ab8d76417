"use client";

import { useSearchParams } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import {
  type Draft,
  filterOf,
  ofField,
  ofOperator,
  operatorsOf,
  type ValueInput,
  valueInputOf,
  withChosen,
  withTyped,
} from "@/components/reports/filter-draft";
import type { Filter } from "@/components/reports/filters";
import { ShortcutSwitch } from "@/components/reports/shortcuts";
import { useFetched } from "@/components/reports/use-fetched";
import { Button } from "@/components/ui/button";
import { Combobox, type ComboboxProps } from "@/components/ui/combobox";
import type { Option } from "@/components/ui/combobox-list";
import { Dialog } from "@/components/ui/dialog";
import { rich } from "@/components/ui/rich";
import { type Choice, Select } from "@/components/ui/select";
import { formatCount } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

interface Props {
  basePath: string;
  fields: Choice[];
  /** Allow only the operator `is`. */
  onlyIs: boolean;
  first: Draft;
  /** Whether an existing filter is edited. */
  changes: boolean;
  onDone(filter: Filter): void;
  onCancel(): void;
}

/** Dialog to add or edit a filter: dimension, operator and values, with suggestions while typing. */
export default function FilterDialog({ basePath, fields, onlyIs, first, changes, onDone, onCancel }: Props) {
  const [draft, setDraft] = useState(onlyIs ? { ...first, operator: "is" } : first);
  const [typed, setTyped] = useState("");
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const valueInput = valueInputOf(draft);

  function change(next: Draft) {
    if (next.field !== draft.field) setTyped("");
    setDraft(next);
    setMissing(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const complete = withTyped(draft, typed);
    const filter = filterOf(complete);
    if (filter) return onDone(filter);
    change(complete);
    setTyped("");
    setMissing(true);
    input.current?.focus();
  }

  return (
    <Dialog
      title={changes ? t("Edit filter") : t("Add filter")}
      problems={{ fields: {} }}
      first={changes ? input : undefined}
      onCancel={onCancel}
    >
      <form onSubmit={submit} noValidate className="space-y-3">
        <FieldAndOperator fields={fields} onlyIs={onlyIs} draft={draft} onChange={change} />
        <SuggestedValue
          basePath={basePath}
          valueInput={valueInput}
          chosen={draft.chosen}
          onChange={(chosen) => change(withChosen(draft, chosen))}
          typed={typed}
          onType={setTyped}
          input={input}
          problem={missing ? (valueInput.free ? t("Select or type a value.") : t("Select a value.")) : undefined}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-1">
          <div className="hidden pointer-fine:block">
            <ShortcutSwitch
              label={rich("Open with <key>F</key>", {
                key: (text) => <kbd className="rounded border border-line-strong px-1 font-mono text-xs">{text}</kbd>,
              })}
            />
          </div>
          <div className="ml-auto flex gap-2">
            <Button look="quiet" onClick={onCancel}>
              {t("Cancel")}
            </Button>
            <Button type="submit">{changes ? t("Save") : t("Add")}</Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldAndOperatorProps extends Pick<Props, "fields" | "onlyIs"> {
  draft: Draft;
  onChange(draft: Draft): void;
}

function FieldAndOperator({ fields, onlyIs, draft, onChange }: FieldAndOperatorProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Select
        label={t("Dimension")}
        choices={fields.map(({ value, label, group }) => ({
          value,
          label: t(label),
          ...(group && { group: t(group) }),
        }))}
        value={draft.field}
        onChange={(event) => onChange(ofField(draft, event.target.value))}
      />
      <Select
        label={t("Operator")}
        choices={operatorsOf(draft.field, onlyIs)}
        value={draft.operator}
        onChange={(event) => onChange(ofOperator(draft, event.target.value))}
      />
    </div>
  );
}

interface SuggestedProps extends Pick<ComboboxProps, "chosen" | "onChange" | "typed" | "onType" | "input" | "problem"> {
  basePath: string;
  valueInput: ValueInput;
}

interface Suggestions {
  field: string;
  options: { value: string; text: string; visitors: number | null }[];
}

/** The search parameters of the view that limit the suggestions. */
const RANGE = ["period", "from", "to", "traffic"];

/** A combobox that suggests the values that the site has in the current range. */
function SuggestedValue({ basePath, valueInput: { field, whole, ...look }, typed, ...combobox }: SuggestedProps) {
  const view = new URLSearchParams(useSearchParams());
  for (const name of [...view.keys()]) if (!RANGE.includes(name)) view.delete(name);
  view.set("field", field);
  view.set("q", typed.trim());
  const { answer, problem, waiting } = useFetched<Suggestions>(whole ? `${basePath}/data/options?${view}` : null);
  const known = whole && answer?.field === field ? answer.options : [];
  // While the next suggestions load, only matching ones stay, so that Enter never selects a wrong value.
  const fitting = waiting ? known.filter((option) => contains(option.text, typed.trim())) : known;
  const options: Option[] = fitting.map(({ value, text, visitors }) => ({
    value,
    text,
    aside: visitors === null ? undefined : formatCount(visitors),
  }));
  const nothing = typed.trim() === "" ? t("No values in this range.") : t("No matching values in this range.");
  const seen = waiting ? t("Loading…") : (problem ?? nothing);
  const empty = whole ? seen : t("Matching is case-sensitive.");
  return <Combobox {...combobox} {...look} typed={typed} options={options} empty={empty} />;
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
