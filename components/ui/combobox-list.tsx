import { Check } from "lucide-react";
import type { ReactNode } from "react";

export interface Option {
  value: string;
  text: string;
  /** Secondary text at the right edge. */
  aside?: string | undefined;
}

interface ListProps {
  id: string;
  label: string;
  single: boolean;
  options: Option[];
  /** Index of the active option; -1 for none. */
  active: number;
  empty: ReactNode;
  isChosen(value: string): boolean;
  onSelect(option: Option): void;
}

/** The options of a combobox. It has a fixed height, so that the layout does not shift. */
export function List({ id, label, single, options, active, empty, isChosen, onSelect }: ListProps) {
  if (options.length === 0) {
    return <p className="grid h-52 place-items-center px-3 text-center text-sm text-muted">{empty}</p>;
  }
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      aria-multiselectable={!single}
      className="h-52 overflow-y-auto overscroll-contain p-1"
    >
      {options.map((option, index) => (
        <OptionLine
          key={option.value}
          id={`${id}-${index}`}
          option={option}
          active={index === active}
          chosen={isChosen(option.value)}
          onSelect={() => onSelect(option)}
        />
      ))}
    </div>
  );
}

interface LineProps {
  id: string;
  option: Option;
  active: boolean;
  chosen: boolean;
  onSelect(): void;
}

function OptionLine({ id, option, active, chosen, onSelect }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onSelect}
      className={`flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-sunken ${active ? "bg-sunken outline-2 -outline-offset-2 outline-accent" : ""}`}
    >
      <Check className={`size-3.5 text-accent ${chosen ? "" : "invisible"}`} />
      <span className="min-w-0 flex-1 truncate" title={option.text}>
        {option.text}
      </span>
      <span className="text-muted tabular-nums">{option.aside}</span>
    </div>
  );
}
