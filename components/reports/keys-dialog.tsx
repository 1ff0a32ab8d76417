"use client";

import { ShortcutSwitch } from "@/components/reports/shortcuts";
import { PERIOD_KEYS } from "@/components/reports/view-keys";
import { Button } from "@/components/ui/button";
import { PlainDialog } from "@/components/ui/plain-dialog";
import { PERIODS } from "@/lib/contract/vocabulary";

const KEYS: [keys: string[], does: string][] = [
  ...Object.entries(PERIOD_KEYS).map(([key, period]): [string[], string] => [[key.toUpperCase()], PERIODS[period]]),
  [["1", "9"], "Periods, in menu order"],
  [["←", "→"], "Previous period, next period"],
  [["F"], "Add a filter"],
  [["X"], "Turn comparison on or off"],
  [["Esc"], "Clear all filters"],
  [["/"], "Go to a site, a report or a setting"],
  [["Ctrl", "K"], "The same, on any page"],
  [["?"], "Show this list"],
];

/** List of all keyboard shortcuts, with a switch for those without Ctrl. */
export default function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <PlainDialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="divide-y divide-line text-sm">
        {KEYS.map(([keys, does]) => (
          <div key={does} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{does}</dt>
            <dd className="flex shrink-0 items-center gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <ShortcutSwitch label="Use shortcuts without Ctrl" />
        <Button onClick={onClose}>Close</Button>
      </div>
    </PlainDialog>
  );
}
