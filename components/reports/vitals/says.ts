import { named, sentencesOf } from "@/components/reports/sentences";
import { formatCell } from "@/components/reports/sheet";
import { RATINGS, ratingOf } from "@/components/reports/vitals/ratings";
import { kindOfVital, type VitalsAnswer, worstFirst } from "@/components/reports/vitals/sheets";
import { VITALS, type VitalKey, vitalKeys } from "@/lib/analytics/reports/vitals";
import { formatPercent } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

const ORDER = [RATINGS.poor, RATINGS.needs, RATINGS.good];

/** Returns the worst vital of all page views, and the page on which it is the worst. */
export function vitalsSay({ overall, pages, floor }: VitalsAnswer): string | null {
  if (overall.views === 0) return null;
  const known = vitalKeys.flatMap((key) => {
    const { p75, good } = overall[key];
    return p75 === null ? [] : [{ key, p75, good: good ?? 0, rating: ratingOf(key, p75) }];
  });
  if (known.length === 0) return t("There are too few page views for a verdict: {floor} are needed.", { floor });
  const [worst] = known.sort((a, b) => ORDER.indexOf(a.rating) - ORDER.indexOf(b.rating) || a.good - b.good);
  if (!worst) return null;
  const format = (key: VitalKey, value: number) => formatCell({ label: "", kind: kindOfVital(key) }, value);
  const [page] = worstFirst(pages, worst.key);
  const at = page?.[worst.key].p75 ?? null;
  const vital = VITALS[worst.key].label;
  const weakest = { vital, share: formatPercent(worst.good) };
  const bad = { vital, value: format(worst.key, worst.p75), good: format(worst.key, VITALS[worst.key].good) };
  return sentencesOf(
    worst.rating === RATINGS.good
      ? known.length < vitalKeys.length
        ? t("All vitals that are known are good; the weakest is {vital}, good on {share} of page views", weakest)
        : t("All vitals are good; the weakest is {vital}, good on {share} of page views", weakest)
      : worst.rating === RATINGS.poor
        ? t("{vital} is poor: 75% of page views have at most {value}, and {good} is good", bad)
        : t("{vital} is in need of work: 75% of page views have at most {value}, and {good} is good", bad),
    page &&
      at !== null &&
      t("The worst page is {page} with {value}", {
        page: named(legiblePath(page.value ?? "") || t("unknown")),
        value: format(worst.key, at),
      }),
  );
}
