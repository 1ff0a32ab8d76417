"use client";

import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { hasOpenOverlay } from "@/components/ui/overlays";

/** Storage key of the switch for shortcuts without Ctrl (WCAG 2.1.4: speech input can trigger them by accident). */
const STORAGE_KEY = "shortcuts";
const areOn = () => localStorage.getItem(STORAGE_KEY) !== "off";

/**
 * Calls `act` when one of the keys is pressed, unless the focus is in a form field or an overlay is open.
 *
 * @param keys characters, or key names such as `arrowleft`, in lower case
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

/** Returns whether the focused element uses arrow keys itself: tabs, charts and scrollable regions. */
const movesByArrows = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented || !(target instanceof Element && target.matches("body, a, button:not([role])"));

export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

/** Checkbox that enables or disables shortcuts without Ctrl. */
export function ShortcutSwitch({ label }: { label: ReactNode }) {
  const id = useId();
  const [on, setOn] = useState(areOn);
  function turn(next: boolean) {
    if (next) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, "off");
    setOn(next);
  }
  return (
    <label htmlFor={id} className="flex items-center gap-2 text-sm text-muted">
      <input id={id} type="checkbox" checked={on} onChange={(event) => turn(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
