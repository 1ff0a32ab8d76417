import { caution, moved, named, sentencesOf } from "@/components/reports/sentences";
import type { SearchAnswer } from "@/components/reports/site_search/sheets";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

/** Returns how many searches find nothing, and for which term the most often. */
export function searchSays({ total, comparison, terms }: SearchAnswer): string | null {
  if (total.searches === 0) return null;
  const searches = moved({
    label: t("Searches"),
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
  const term = missing && missing.missed > 0 ? missing.term : null;
  return sentencesOf(
    searches,
    rate !== null && foundText({ rate, counted: counted < total.searches ? counted : null, term }),
    caution(total.searches, "search"),
  );
}

interface Found {
  /** Share of searches that found nothing. */
  rate: number;
  /** How many have a known number of results; null if all have. */
  counted: number | null;
  /** The term that found nothing most often. */
  term: string | null;
}

function foundText({ rate, counted, term }: Found): string {
  const share = formatPercent(rate);
  if (counted === null) {
    if (rate === 0) return t("All of them found something");
    return term === null
      ? t("{share} of them found nothing", { share })
      : t("{share} of them found nothing, most often those for “{term}”", { share, term: named(term) });
  }
  const known = { share, count: formatExactly(counted) };
  if (rate === 0) return t("All of the {count} with a known number of results found something", known);
  return term === null
    ? t("{share} of the {count} with a known number of results found nothing", known)
    : t("{share} of the {count} with a known number of results found nothing, most often those for “{term}”", {
        ...known,
        term: named(term),
      });
}
