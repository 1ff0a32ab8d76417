import { formatDate, formatPlural } from "@/components/ui/format";
import type { Loss } from "@/lib/agents/loss";

/** Shorter times are counted in days. */
const MONTHS_FROM_DAYS = 60;

/** "Deletes 12,345 events of 3 months, since Aug 20, 2026." */
export function describeLoss({ events, more, since, days }: Loss): string {
  if (since === null) return "No data is stored that this deletes.";
  const what = events === 0 ? "the imported data" : `${more ? "more than " : ""}${formatPlural(events, "event")}`;
  const time = days < MONTHS_FROM_DAYS ? formatPlural(days, "day") : formatPlural(Math.round(days / 30.44), "month");
  return `Deletes ${what} of ${time}, since ${formatDate(since)}.`;
}
