"use client";

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { ChevronDown } from "@/components/ui/icons";

interface Props {
  /** What the button shows. */
  label: ReactNode;
  /** What a screen reader says before the label, such as "Period". */
  name: string;
  icon?: ReactNode;
  align?: "start" | "end";
  look?: "boxed" | "bare";
  children: (close: () => void) => ReactNode;
}

const looks = {
  boxed: "border border-line bg-surface shadow-card hover:bg-sunken",
  bare: "hover:bg-sunken",
};

/** A button that opens a small panel. Esc, a click elsewhere, or leaving with Tab closes it; arrows walk its items. */
export function Menu({ label, name, icon, align = "start", look = "boxed", children }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useLeaving(root, open, () => setOpen(false));

  /** What had the focus goes; what it opens in its place gives it back to the button. */
  function close() {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      if (open) walk(root.current, event.key === "ArrowDown" ? 1 : -1);
      else setOpen(true);
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to the keys of the controls inside it
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className={`flex h-9 max-w-full items-center gap-2 rounded-lg px-3 text-sm font-medium ${looks[look]}`}
      >
        {icon && <span className="hidden sm:block">{icon}</span>}
        <span className="sr-only">{name}: </span>
        <span className="truncate">{label}</span>
        <ChevronDown className={`size-3.5 text-muted ${look === "boxed" ? "max-sm:hidden" : ""}`} />
      </button>
      {open && (
        <div
          id={id}
          className={`card absolute top-full z-30 mt-1.5 min-w-52 p-1.5 shadow-xl max-sm:fixed max-sm:inset-x-4 max-sm:top-auto ${align === "end" ? "right-0" : "left-0"}`}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}

/** Calls `leave` when a press or the focus goes elsewhere. */
function useLeaving(root: RefObject<HTMLElement | null>, open: boolean, leave: () => void): void {
  const onLeave = useEffectEvent(leave);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) onLeave();
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [open, root]);
}

function walk(root: HTMLElement | null, step: 1 | -1): void {
  const items = [...(root?.querySelectorAll<HTMLElement>("a[href], button, input") ?? [])].slice(1);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step === 1 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
  items[next]?.focus();
}

export const menuItem =
  "flex w-full items-center justify-between gap-4 rounded-md px-2.5 py-1.5 text-left text-sm whitespace-nowrap hover:bg-sunken aria-[current=true]:font-semibold";

/** What stands below the items of a menu. */
export const MenuEnd = ({ children }: { children: ReactNode }) => (
  <div className="mt-1.5 border-t border-line pt-1.5">{children}</div>
);

/** Opens a dialog about what the menu offers. */
export const MenuAction = ({ onPress, children }: { onPress(): void; children: ReactNode }) => (
  <button type="button" aria-haspopup="dialog" onClick={onPress} className={`${menuItem} text-muted hover:text-ink`}>
    <span className="truncate">{children}</span>
  </button>
);
