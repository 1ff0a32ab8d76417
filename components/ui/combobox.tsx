"use client";

import { Anchor, Content, Root } from "@radix-ui/react-popover";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { List, type Option } from "@/components/ui/combobox-list";
import { t } from "@/lib/texts/translate";

export interface ComboboxProps {
  label: string;
  /** The selected options. */
  chosen: Option[];
  onChange(chosen: Option[]): void;
  typed: string;
  onType(typed: string): void;
  /** The options that match the typed text. */
  options: Option[];
  /** Only one option can be selected. */
  single?: boolean;
  /** Show the list below the field at all times instead of in a popover. */
  inline?: boolean;
  /** Whether the typed text itself can be a value. */
  free: boolean;
  input: RefObject<HTMLInputElement | null>;
  placeholder?: string;
  problem?: string | undefined;
  /** Shown when there are no options. */
  empty: ReactNode;
}

/**
 * A text field with a list of options, for one or more values (WAI-ARIA combobox). Typing, arrow keys or a click open
 * the list; arrows move the active option and Enter selects it. Esc closes the list; Backspace in an empty field
 * removes the last value.
 */
export function Combobox(props: ComboboxProps) {
  const { label, chosen, onChange, typed, onType, single = false, inline = false, free, input, problem, empty } = props;
  const [opened, setOpened] = useState(false);
  const open = inline || opened;
  const field = useRef<HTMLDivElement>(null);
  const id = useId();
  const options = withTyped(props.options, typed, free);
  const { active, setActive, move } = useActiveOption(id, options.length);
  const current = open ? active : -1;
  const isChosen = (value: string) => chosen.some((one) => one.value === value);

  /** Typing changes the list; its first option becomes active, so that Enter selects it. */
  function type(text: string) {
    onType(text);
    setActive(text === "" ? -1 : 0);
  }

  function select(option: Option) {
    if (isChosen(option.value)) onChange(chosen.filter((one) => one.value !== option.value));
    else onChange(single ? [option] : [...chosen, option]);
    type("");
    setOpened(false);
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const option = options[current];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") setOpened(true);
    if (move(event.key) || (event.key === "Enter" && option)) event.preventDefault();
    if (event.key === "Enter" && option) select(option);
    if (event.key === "Backspace" && typed === "" && chosen.length > 0) onChange(chosen.slice(0, -1));
  }

  const list = { id, label, single, options, active: current, empty, isChosen, onSelect: select };
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <Root open={opened && !inline} onOpenChange={setOpened}>
        <Anchor ref={field} className={fieldLook}>
          {chosen.map((option) => (
            <Token key={option.value} option={option} onRemove={() => select(option)} />
          ))}
          <input
            ref={input}
            id={id}
            role="combobox"
            aria-expanded={open && options.length > 0}
            aria-controls={open && options.length > 0 ? `${id}-list` : undefined}
            aria-autocomplete="list"
            aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
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
          onOpenAutoFocus={keepFocus}
          onCloseAutoFocus={keepFocus}
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

/** Keeps the focus in the text field when the popover opens or closes. */
const keepFocus = (event: Event) => event.preventDefault();

/** Returns the index of the active option (-1 for none), scrolled into view, and `move`, which handles arrow keys. */
function useActiveOption(id: string, count: number) {
  const [index, setActive] = useState(-1);
  const active = Math.min(index, count - 1);

  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);

  /** @returns whether the key was an arrow key that moved the active option. */
  function move(key: string): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!step || count === 0) return false;
    setActive(active < 0 ? (step === 1 ? 0 : count - 1) : (active + step + count) % count);
    return true;
  }

  return { active, setActive, move };
}

/** Returns the options followed by the typed text itself, if it can be a value. */
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
        aria-label={t("Remove {name}", { name: option.text })}
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:text-ink"
      >
        <X className="size-3" />
      </button>
    </span>
  );
}
