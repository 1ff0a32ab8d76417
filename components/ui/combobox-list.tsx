import type { ReactNode } from "react";
import { Check } from "@/components/ui/icons";

export interface Option {
  value: string;
  text: string;
  /** At the far end of its line. */
  aside?: string | undefined;
}

interface ListProps {
  id: string;
  label: string;
  single: boolean;
  options: Option[];
  at: number;
  empty: ReactNode;
  isChosen(value: string): boolean;
  onTake(option: Option): void;
}

/** As tall as it is, full or empty, so that nothing jumps. */
export function List({ id, label, single, options, at, empty, isChosen, onTake }: ListProps) {
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
        <Line
          key={option.value}
          id={`${id}-${index}`}
          option={option}
          active={index === at}
          chosen={isChosen(option.value)}
          onTake={() => onTake(option)}
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
  onTake(): void;
}

function Line({ id, option, active, chosen, onTake }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
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
