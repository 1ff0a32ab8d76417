import { shownDays } from "@/components/reports/stepping";
import type { View } from "@/components/reports/view";
import { formatRange } from "@/components/ui/format";
import { PERIODS } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** The only period that a link shows. */
export function ShownPeriod({ view, ...bounds }: { view: View; since: string; today: string }) {
  const { from, to } = shownDays(view, bounds);
  const days = formatRange(from, to);
  return (
    <p className="text-sm text-muted">{view.period === "custom" ? days : `${t(PERIODS[view.period])}: ${days}`}</p>
  );
}
