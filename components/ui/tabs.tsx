"use client";

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

export interface Tab {
  key: string;
  label: string;
  content: ReactNode;
}

/** Tabs (WAI-ARIA pattern): one tab stop, arrow keys move between tabs. `heading` is shown at the left of the row. */
export function Tabs({ tabs, heading, name }: { tabs: Tab[]; heading?: ReactNode; name: string }) {
  const [chosen, setChosen] = useState(tabs[0]?.key);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const current = tabs.find((tab) => tab.key === chosen) ?? tabs[0];

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = tabs.findIndex((tab) => tab.key === current?.key);
    const next = (index + step + tabs.length) % tabs.length;
    setChosen(tabs[next]?.key);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {heading}
        <div ref={list} role="tablist" aria-label={name} className="-mx-2 flex flex-wrap" onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.key}
              type="button"
              role="tab"
              id={`${id}-${tab.key}`}
              aria-selected={tab === current}
              aria-controls={`${id}-panel`}
              tabIndex={tab === current ? 0 : -1}
              onClick={() => setChosen(tab.key)}
              className="rounded-md px-2 py-1 text-sm text-muted hover:text-ink aria-selected:font-semibold aria-selected:text-accent"
            >
              {tab.label}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current?.key}`}>
        {current?.content}
      </div>
    </>
  );
}
