"use client";

import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { hasOpenOverlay } from "@/components/ui/overlays";

/** Kept in the browser: whether keys without Ctrl do something. Speech input types such keys without meaning them. */
const KEPT = "shortcuts";
const areOn = () => localStorage.getItem(KEPT) !== "off";

/**
 * Does something when one of some keys is pressed while nothing is typed into and nothing is open above the page.
 *
 * @param keys letters, or names such as `arrowleft`, in small letters
 */
export function useShortcut(keys: string | readonly string[], act: (key: string) => void): void {
  const names = [...keys].join(" ");
  const press = useEffectEvent(act);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const key = event.key.toLowerCase();
      if (!names.split(" ").includes(key) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key.startsWith("arrow") && (event.shiftKey || movesByArrows(event))) return;
      if (isTypedInto(event.target) || hasOpenOverlay() || !areOn()) return;
      event.preventDefault();
      press(key);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [names]);
}

/** Whether arrows already mean something where the focus is: in tabs, charts and what scrolls sideways. */
const movesByArrows = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented || !(target instanceof Element && target.matches("body, a, button:not([role])"));

export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

/** Switches the letters off and on again. */
export function ShortcutSwitch({ label }: { label: ReactNode }) {
  const id = useId();
  const [on, setOn] = useState(areOn);
  function turn(next: boolean) {
    if (next) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, "off");
    setOn(next);
  }
  return (
    <label htmlFor={id} className="flex items-center gap-2 text-sm text-muted">
      <input id={id} type="checkbox" checked={on} onChange={(event) => turn(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
