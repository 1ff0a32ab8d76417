import { named, sentencesOf } from "@/components/reports/sentences";
import { formatCell } from "@/components/reports/sheet";
import { RATINGS, ratingOf } from "@/components/reports/vitals/ratings";
import { kindOf, type VitalsAnswer, worstFirst } from "@/components/reports/vitals/sheets";
import { VITALS, type VitalKey, vitalKeys } from "@/lib/analytics/reports/vitals";
import { formatPercent } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";

const ORDER = [RATINGS.poor, RATINGS.needs, RATINGS.good];

/** Returns the worst vital of all page views, and the page on which it is the worst. */
export function vitalsSay({ overall, pages, floor }: VitalsAnswer): string | null {
  if (overall.views === 0) return null;
  const known = vitalKeys.flatMap((key) => {
    const { p75, good } = overall[key];
    return p75 === null ? [] : [{ key, p75, good: good ?? 0, rating: ratingOf(key, p75) }];
  });
  if (known.length === 0) return `There are too few page views for a verdict: ${floor} are needed.`;
  const [worst] = known.sort((a, b) => ORDER.indexOf(a.rating) - ORDER.indexOf(b.rating) || a.good - b.good);
  if (!worst) return null;
  const format = (key: VitalKey, value: number) => formatCell({ label: "", kind: kindOf(key) }, value);
  const [page] = worstFirst(pages, worst.key);
  const at = page?.[worst.key].p75 ?? null;
  const name = VITALS[worst.key].label;
  return sentencesOf(
    worst.rating === RATINGS.good
      ? `${known.length < vitalKeys.length ? "All vitals that are known" : "All vitals"} are good; the weakest is ${name}, good on ${formatPercent(worst.good)} of page views`
      : `${name} is ${worst.rating === RATINGS.poor ? "poor" : "in need of work"}: 75% of page views have at most ${format(worst.key, worst.p75)}, and ${format(worst.key, VITALS[worst.key].good)} is good`,
    page &&
      at !== null &&
      `The worst page is ${named(legiblePath(page.value ?? "") || "unknown")} with ${format(worst.key, at)}`,
  );
}
