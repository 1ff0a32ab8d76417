import { caution, moved, named, sentencesOf } from "@/components/reports/sentences";
import type { SearchAnswer } from "@/components/reports/site_search/sheets";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";

/** Returns how many searches find nothing, and for which term the most often. */
export function searchSays({ total, comparison, terms }: SearchAnswer): string | null {
  if (total.searches === 0) return null;
  const searches = moved({
    label: "Searches",
    isPlural: true,
    now: total.searches,
    before: comparison?.total.searches,
    format: formatExactly,
  });
  const missing = terms
    .map(({ term, searches: count, zero_result_rate }) => ({
      term,
      missed: Math.round(count * (zero_result_rate ?? 0)),
    }))
    .sort((a, b) => b.missed - a.missed)[0];
  const rate = total.zero_result_rate;
  const often = missing && missing.missed > 0 ? `, most often those for “${named(missing.term)}”` : "";
  return sentencesOf(
    searches,
    rate !== null &&
      (rate > 0 ? `${formatPercent(rate)} of them found nothing${often}` : "All of them found something"),
    caution(total.searches, "search", "searches"),
  );
}
