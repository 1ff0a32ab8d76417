import { ChevronDown } from "lucide-react";
import { type ComponentProps, useId } from "react";

export interface Choice {
  value: string;
  label: string;
  /** Name of the option group. */
  group?: string;
}

interface Props extends ComponentProps<"select"> {
  label: string;
  choices: readonly Choice[];
  /** Show the label to screen readers only. */
  quiet?: boolean;
}

/** A labelled select field. */
export function Select({ label, choices, quiet = false, className = "", ...select }: Props) {
  const id = useId();
  return (
    <div className={quiet ? "" : "space-y-1.5"}>
      <label htmlFor={id} className={quiet ? "sr-only" : "block text-sm font-medium"}>
        {label}
      </label>
      <span className="relative block">
        <select
          {...select}
          id={id}
          className={`w-full appearance-none rounded-lg border border-line-strong bg-surface pr-9 pl-3 text-ink disabled:opacity-60 ${quiet ? "h-8 text-sm" : "h-10"} ${className}`}
        >
          <Options choices={choices} />
        </select>
        <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-3.5 -translate-y-1/2 text-muted" />
      </span>
    </div>
  );
}

function Options({ choices }: { choices: readonly Choice[] }) {
  const groups = [...new Set(choices.map(({ group }) => group))];
  return groups.map((group) => {
    const options = choices
      .filter((choice) => choice.group === group)
      .map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ));
    return group === undefined ? (
      options
    ) : (
      <optgroup key={group} label={group}>
        {options}
      </optgroup>
    );
  });
}
