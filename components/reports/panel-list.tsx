import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { inOrder, movedBy, PANEL_NAMES } from "@/components/reports/dashboard-panels";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";
import { t } from "@/lib/texts/translate";

interface Props {
  /** The selected panels in order. */
  picked: DashboardPanel[];
  onChange(picked: DashboardPanel[]): void;
}

/** All panels with checkboxes and buttons to move them up or down. Selected panels come first. */
export function PanelList({ picked, onChange }: Props) {
  // The order does not change when a panel is checked, so that it stays under the pointer.
  const [order, setOrder] = useState(() => inOrder(picked));
  const [announcement, setAnnouncement] = useState("");

  function change(next: DashboardPanel[], shown: (panel: DashboardPanel) => boolean) {
    setOrder(next);
    onChange(next.filter(shown));
  }

  function move(panel: DashboardPanel, step: 1 | -1) {
    const next = movedBy(order, panel, step);
    setAnnouncement(
      t("{panel} is now number {place} of {count}.", {
        panel: t(PANEL_NAMES[panel]),
        place: next.indexOf(panel) + 1,
        count: next.length,
      }),
    );
    change(next, (one) => picked.includes(one));
  }

  return (
    <>
      <ol className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {order.map((panel, index) => (
          <li key={panel} className="flex items-center justify-between gap-2 pr-1.5 hover:bg-sunken/60">
            <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 py-1.5 pl-3">
              <input
                type="checkbox"
                checked={picked.includes(panel)}
                onChange={({ target }) =>
                  change(order, (one) => (one === panel ? target.checked : picked.includes(one)))
                }
                className="size-4 shrink-0 accent-accent"
              />
              {t(PANEL_NAMES[panel])}
            </label>
            {([-1, 1] as const).map((step) => (
              <button
                key={step}
                type="button"
                aria-label={
                  step === -1
                    ? t("Move {panel} up", { panel: t(PANEL_NAMES[panel]) })
                    : t("Move {panel} down", { panel: t(PANEL_NAMES[panel]) })
                }
                aria-disabled={index + step < 0 || index + step >= order.length || undefined}
                onClick={() => move(panel, step)}
                className="grid size-7 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-disabled:opacity-40"
              >
                {step === -1 ? (
                  <ArrowUp className="size-3.5 -rotate-45" />
                ) : (
                  <ArrowDown className="size-3.5 rotate-45" />
                )}
              </button>
            ))}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  );
}
