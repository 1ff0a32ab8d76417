"use client";

import { useSearchParams } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import {
  type Asked,
  askedOf,
  type Draft,
  filterOf,
  ofField,
  ofOperator,
  operatorsOf,
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
import { formatCount } from "@/components/ui/format";
import { type Choice, Select } from "@/components/ui/select";

interface Props {
  at: string;
  fields: Choice[];
  /** Whether values can only be chosen as they are. */
  onlyIs: boolean;
  first: Draft;
  /** Whether there is a filter already that is changed. */
  changes: boolean;
  onDone(filter: Filter): void;
  onCancel(): void;
}

/** Puts one filter together: what, how, and which values, offered as one types. */
export default function FilterDialog({ at, fields, onlyIs, first, changes, onDone, onCancel }: Props) {
  const [draft, setDraft] = useState(onlyIs ? { ...first, operator: "is" } : first);
  const [typed, setTyped] = useState("");
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const asked = askedOf(draft);

  function change(next: Draft) {
    if (next.field !== draft.field) setTyped("");
    setDraft(next);
    setMissing(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const meant = withTyped(draft, typed);
    const filter = filterOf(meant);
    if (filter) return onDone(filter);
    change(meant);
    setTyped("");
    setMissing(true);
    input.current?.focus();
  }

  return (
    <Dialog
      title={changes ? "Change the filter" : "Add a filter"}
      problems={{ fields: {} }}
      first={changes ? input : undefined}
      onCancel={onCancel}
    >
      <form onSubmit={submit} noValidate className="space-y-3">
        <WhatAndHow fields={fields} onlyIs={onlyIs} draft={draft} onChange={change} />
        <Suggested
          at={at}
          asked={asked}
          chosen={draft.chosen}
          onChange={(chosen) => change(withChosen(draft, chosen))}
          typed={typed}
          onType={setTyped}
          input={input}
          problem={missing ? `Choose ${asked.free ? "or type " : ""}one first.` : undefined}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-1">
          <ShortcutSwitch
            label={
              <>
                Open with the key <kbd className="rounded border border-line-strong px-1 font-mono text-xs">F</kbd>
              </>
            }
          />
          <div className="ml-auto flex gap-2">
            <Button look="quiet" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit">{changes ? "Change" : "Filter"}</Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

interface WhatAndHowProps extends Pick<Props, "fields" | "onlyIs"> {
  draft: Draft;
  onChange(draft: Draft): void;
}

function WhatAndHow({ fields, onlyIs, draft, onChange }: WhatAndHowProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Select
        label="What"
        choices={fields}
        value={draft.field}
        onChange={(event) => onChange(ofField(draft, event.target.value))}
      />
      <Select
        label="How"
        choices={operatorsOf(draft.field, onlyIs)}
        value={draft.operator}
        onChange={(event) => onChange(ofOperator(draft, event.target.value))}
      />
    </div>
  );
}

interface SuggestedProps extends Pick<ComboboxProps, "chosen" | "onChange" | "typed" | "onType" | "input" | "problem"> {
  at: string;
  asked: Asked;
}

interface Suggestions {
  field: string;
  options: { value: string; text: string; visitors: number | null }[];
}

/** What of the view's address chooses the visits in which values are looked for. */
const RANGE = ["period", "from", "to", "traffic"];

/** A combobox whose list comes from the site's own values, in the days that are looked at. */
function Suggested({ at, asked: { field, whole, ...look }, typed, ...combobox }: SuggestedProps) {
  const view = new URLSearchParams(useSearchParams());
  for (const name of [...view.keys()]) if (!RANGE.includes(name)) view.delete(name);
  view.set("field", field);
  view.set("q", typed.trim());
  const { answer, problem, waiting } = useFetched<Suggestions>(whole ? `${at}/options?${view}` : null);
  const known = whole && answer?.field === field ? answer.options : [];
  // Those for what was typed before stay meanwhile, as far as they fit: Enter must not take another.
  const fitting = waiting ? known.filter((option) => contains(option.text, typed.trim())) : known;
  const options: Option[] = fitting.map(({ value, text, visitors }) => ({
    value,
    text,
    aside: visitors === null ? undefined : formatCount(visitors),
  }));
  const nothing = typed.trim() === "" ? "Nothing was seen in these days." : "Nothing like this was seen in these days.";
  const seen = waiting ? "One moment…" : (problem ?? nothing);
  const empty = whole ? seen : "What is typed is looked for with its capitals.";
  return <Combobox {...combobox} {...look} typed={typed} options={options} empty={empty} />;
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
