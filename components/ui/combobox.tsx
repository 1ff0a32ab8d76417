"use client";

import { Anchor, Content, Root } from "@radix-ui/react-popover";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { List, type Option } from "@/components/ui/combobox-list";
import { Cross } from "@/components/ui/icons";

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
  /** The list stands below the field all the time, for a field that is all there is. */
  inline?: boolean;
  /** Whether what is typed may itself be a value. */
  free: boolean;
  input: RefObject<HTMLInputElement | null>;
  placeholder?: string;
  problem?: string | undefined;
  /** What stands in the list's place when it is empty. */
  empty: ReactNode;
}

/**
 * A text field with a list of what it may mean, for one or more values. Typing, arrows or a press open the list; arrows
 * walk it and Enter takes from it, all while one goes on typing; Esc closes it, and Backspace in an empty field lets the
 * last value go.
 */
export function Combobox(props: ComboboxProps) {
  const { label, chosen, onChange, typed, onType, single = false, inline = false, free, input, problem, empty } = props;
  const [opened, setOpened] = useState(false);
  const open = inline || opened;
  const field = useRef<HTMLDivElement>(null);
  const id = useId();
  const options = withTyped(props.options, typed, free);
  const { active, setActive, walk } = useWalk(id, options.length);
  const at = open ? active : -1;
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
    setOpened(false);
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const option = options[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") setOpened(true);
    if (walk(event.key) || (event.key === "Enter" && option)) event.preventDefault();
    if (event.key === "Enter" && option) take(option);
    if (event.key === "Backspace" && typed === "" && chosen.length > 0) onChange(chosen.slice(0, -1));
  }

  const list = { id, label, single, options, at, empty, isChosen, onTake: take };
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <Root open={opened && !inline} onOpenChange={setOpened}>
        <Anchor ref={field} className={fieldLook}>
          {chosen.map((option) => (
            <Token key={option.value} option={option} onRemove={() => take(option)} />
          ))}
          <input
            ref={input}
            id={id}
            role="combobox"
            aria-expanded={open && options.length > 0}
            aria-controls={open && options.length > 0 ? `${id}-list` : undefined}
            aria-autocomplete="list"
            aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-problem` : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={255}
            placeholder={chosen.length === 0 ? props.placeholder : undefined}
            value={typed}
            onChange={(event) => {
              setOpened(true);
              type(event.target.value);
            }}
            onClick={() => setOpened(true)}
            onKeyDown={onKeyDown}
            className="h-7 min-w-24 flex-1 bg-transparent px-1.5 outline-none placeholder:text-muted"
          />
        </Anchor>
        <Content
          role="presentation"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={stay}
          onCloseAutoFocus={stay}
          onInteractOutside={(event) => {
            if (field.current?.contains(event.target as Node)) event.preventDefault();
          }}
          className="card z-50 w-(--radix-popover-trigger-width) animate-drop shadow-xl"
        >
          <List {...list} />
        </Content>
      </Root>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      {inline && (
        <div className="rounded-lg border border-line">
          <List {...list} />
        </div>
      )}
    </div>
  );
}

const fieldLook =
  "flex min-h-10 flex-wrap items-center gap-1 rounded-lg border border-line-strong bg-surface px-1.5 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent has-aria-invalid:border-bad";

/** The field keeps the focus, whatever comes and goes below it. */
const stay = (event: Event) => event.preventDefault();

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

  return { active: at, setActive, walk };
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
