"use client";

import { ShortcutSwitch } from "@/components/reports/shortcuts";
import { PERIOD_KEYS } from "@/components/reports/view-keys";
import { Button } from "@/components/ui/button";
import { PlainDialog } from "@/components/ui/plain-dialog";
import { PERIODS } from "@/lib/contract/vocabulary";
import { msg, t } from "@/lib/texts/translate";

const KEYS: [keys: string[], does: string][] = [
  ...Object.entries(PERIOD_KEYS).map(([key, period]): [string[], string] => [[key.toUpperCase()], PERIODS[period]]),
  [["1", "9"], msg("Periods, in menu order")],
  [["←", "→"], msg("Previous period, next period")],
  [["F"], msg("Add a filter")],
  [["X"], msg("Turn comparison on or off")],
  [[msg("Esc")], msg("Clear all filters")],
  [["/"], msg("Go to a site, a report or a setting")],
  [[msg("Ctrl"), "K"], msg("The same, on any page")],
  [["?"], msg("Show this list")],
];

/** List of all keyboard shortcuts, with a switch for those without Ctrl. */
export default function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <PlainDialog title={t("Keyboard shortcuts")} onClose={onClose}>
      <dl className="divide-y divide-line text-sm">
        {KEYS.map(([keys, does]) => (
          <div key={does} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{t(does)}</dt>
            <dd className="flex shrink-0 items-center gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">
                  {t(key)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <ShortcutSwitch label={t("Use shortcuts without Ctrl")} />
        <Button onClick={onClose}>{t("Close")}</Button>
      </div>
    </PlainDialog>
  );
}
