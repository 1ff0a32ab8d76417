import { formatDate, formatPlural } from "@/components/ui/format";
import type { Loss } from "@/lib/agents/loss";

/** "Deletes 12,345 events of 3 months, since Aug 20, 2026." */
export function describeLoss({ events, more, since, months }: Loss): string {
  if (since === null) return "No data is stored that this deletes.";
  const what = events === 0 ? "the imported data" : `${more ? "more than " : ""}${formatPlural(events, "event")}`;
  return `Deletes ${what} of ${formatPlural(months, "month")}, since ${formatDate(since)}.`;
}
