"use client";

import { useEffect, useEffectEvent, useId, useState } from "react";

/** Kept in the browser: whether keys without Ctrl do something. Speech input types such keys without meaning them. */
const KEPT = "shortcuts";
const areOn = () => localStorage.getItem(KEPT) !== "off";

/** Does something when a letter is pressed while nothing is typed into and no dialog is open. */
export function useShortcut(letter: string, act: () => void): void {
  const press = useEffectEvent(act);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== letter || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTypedInto(event.target) || document.querySelector("dialog[open]") || !areOn()) return;
      event.preventDefault();
      press();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [letter]);
}

export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

/** Switches the letters off and on again. */
export function ShortcutSwitch() {
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
      <span>
        Open with the key <kbd className="rounded border border-line-strong px-1 font-mono text-xs">F</kbd>
      </span>
    </label>
  );
}
