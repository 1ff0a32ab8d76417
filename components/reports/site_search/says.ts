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
  // Of searches without a number of results nobody knows whether they found any.
  const [missing] = terms
    .map((one) => ({ term: one.term, missed: Math.round(one.counted_searches * (one.zero_result_rate ?? 0)) }))
    .sort((a, b) => b.missed - a.missed);
  const { zero_result_rate: rate, counted_searches: counted } = total;
  const often = missing && missing.missed > 0 ? `, most often those for “${named(missing.term)}”` : "";
  const those = counted < total.searches ? `the ${formatExactly(counted)} with a known number of results` : "them";
  return sentencesOf(
    searches,
    rate !== null &&
      (rate > 0 ? `${formatPercent(rate)} of ${those} found nothing${often}` : `All of ${those} found something`),
    caution(total.searches, "search"),
  );
}
