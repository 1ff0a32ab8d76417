import { formatDate } from "@/components/ui/format";
import type { Loss } from "@/lib/agents/loss";
import { t } from "@/lib/texts/translate";

/** Shorter times are counted in days. */
const MONTHS_FROM_DAYS = 60;

/** "Deletes 12,345 events of 3 months, since Aug 20, 2026." */
export function describeLoss({ events, more, since, days }: Loss): string {
  if (since === null) return t("No data is stored that this deletes.");
  const inDays = days < MONTHS_FROM_DAYS;
  return t(
    "Deletes {more, select, yes {more than } other {}}{events, plural, =0 {the imported data} one {# event} other {# events}} of {unit, select, days {{count, plural, one {# day} other {# days}}} other {{count, plural, one {# month} other {# months}}}}, since {date}.",
    {
      events,
      more: more ? "yes" : "no",
      unit: inDays ? "days" : "months",
      count: inDays ? days : Math.round(days / 30.44),
      date: formatDate(since),
    },
  );
}
