"use client";

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from "react";
import { Check, Cross } from "@/components/ui/icons";

export interface Option {
  value: string;
  text: string;
  /** At the far end of its line. */
  aside?: string | undefined;
}

export interface ComboboxProps {
  label: string;
  /** What is chosen so far. */
  chosen: Option[];
  onChange(chosen: Option[]): void;
  typed: string;
  onType(typed: string): void;
  /** What fits what is typed. */
  options: Option[];
  /** Only one may be chosen. */
  single?: boolean;
  /** Whether what is typed may itself be a value. */
  free: boolean;
  input: RefObject<HTMLInputElement | null>;
  placeholder?: string;
  problem?: string | undefined;
  /** What stands in the list's place when it is empty. */
  empty: ReactNode;
}

/**
 * A text field with a list of what it may mean, for one or more values. Arrows walk the list and Enter takes from it, all
 * while one goes on typing; Backspace in an empty field lets the last value go.
 */
export function Combobox(props: ComboboxProps) {
  const { label, chosen, onChange, typed, onType, single = false, free, input, placeholder, problem, empty } = props;
  const id = useId();
  const options = withTyped(props.options, typed, free);
  const { at, setActive, walk } = useWalk(id, options.length);
  const isChosen = (value: string) => chosen.some((one) => one.value === value);

  /** What is typed makes another list, of which Enter takes the first. */
  function type(text: string) {
    onType(text);
    setActive(text === "" ? -1 : 0);
  }

  function take(option: Option) {
    if (isChosen(option.value)) onChange(chosen.filter((one) => one.value !== option.value));
    else onChange(single ? [option] : [...chosen, option]);
    type("");
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const option = options[at];
    if (walk(event.key) || (event.key === "Enter" && option)) event.preventDefault();
    if (event.key === "Enter" && option) take(option);
    if (event.key === "Backspace" && typed === "" && chosen.length > 0) onChange(chosen.slice(0, -1));
  }

  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="flex min-h-10 flex-wrap items-center gap-1 rounded-lg border border-line-strong bg-surface px-1.5 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent has-aria-invalid:border-bad">
        {chosen.map((option) => (
          <Token key={option.value} option={option} onRemove={() => take(option)} />
        ))}
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={255}
          placeholder={chosen.length === 0 ? placeholder : undefined}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-7 min-w-24 flex-1 bg-transparent px-1.5 outline-none placeholder:text-muted"
        />
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      <List {...{ id, label, single, options, at, empty, isChosen }} onTake={take} />
    </div>
  );
}

/** Which line of the list the keys are at, from 0, or -1 for none; it is kept in sight. */
function useWalk(id: string, count: number) {
  const [active, setActive] = useState(-1);
  const at = Math.min(active, count - 1);

  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  /** @returns whether it was a key for walking. */
  function walk(key: string): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!step || count === 0) return false;
    setActive(at < 0 ? (step === 1 ? 0 : count - 1) : (at + step + count) % count);
    return true;
  }

  return { at, setActive, walk };
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
function List({ id, label, single, options, at, empty, isChosen, onTake }: ListProps) {
  if (options.length === 0) {
    return (
      <p className="grid h-52 place-items-center rounded-lg border border-line px-3 text-center text-sm text-muted">
        {empty}
      </p>
    );
  }
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      aria-multiselectable={!single}
      className="h-52 overflow-y-auto rounded-lg border border-line p-1"
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

/** The options, and what is typed itself as the last of them. */
function withTyped(options: Option[], typed: string, free: boolean): Option[] {
  const text = typed.trim();
  if (!free || text === "" || options.some(({ value }) => value === text)) return options;
  return [...options, { value: text, text: `“${text}”`, aside: "as typed" }];
}

function Token({ option, onRemove }: { option: Option; onRemove(): void }) {
  return (
    <span className="flex h-7 max-w-full items-center rounded-md bg-accent-soft pl-2 text-sm font-medium">
      <span className="truncate">{option.text}</span>
      <button
        type="button"
        aria-label={`Remove ${option.text}`}
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:text-ink"
      >
        <Cross className="size-3" />
      </button>
    </span>
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
