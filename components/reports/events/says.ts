import type { EventsAnswer } from "@/components/reports/events/sheets";
import { caution, moved, named, sentencesOf } from "@/components/reports/sentences";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

/** Returns how the chosen event, or the most frequent one, went, and which event fell the most. */
export function eventsSay({ events, comparison, event }: EventsAnswer): string | null {
  const pairs = events.map((row, index) => ({
    ...row,
    before: comparison ? (comparison[index]?.count ?? 0) : undefined,
  }));
  const shown = event ? pairs.find((row) => row.event === event.event) : pairs[0];
  if (!shown) return null;
  const phrase = (row: (typeof pairs)[number]) =>
    moved({
      label: t("{event} events", { event: named(row.event) }),
      isPlural: true,
      now: row.count,
      before: row.before,
      format: formatExactly,
    });
  const lost = (row: (typeof pairs)[number]) => (row.before ?? 0) - row.count;
  const [worst] = event ? [] : pairs.filter((row) => row !== shown && lost(row) > 0).sort((a, b) => lost(b) - lost(a));
  return sentencesOf(phrase(shown), worst && phrase(worst), caution(shown.count, "event"));
}
