import { formatAmount, formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import { inLanguage } from "@/lib/texts/in-language";

/** Decides whether the value of an hour or a day meets the condition of an alert rule. */

/** Weeks to look back for what is usual, and how many of them must have visits. */
export const WEEKS = 4;
const MIN_WEEKS = 3;
/** Spreads from the median at which a value is unusual. */
const SPREADS = 4;
/** The median absolute deviation of a normal distribution times this is its standard deviation (Hampel, 1974). */
const MAD_SCALE = 1.4826;
/** Counts that differ by less are never unusual, however quiet the site is. */
const MIN_DIFFERENCE = 10;
/** Of fewer visits a rate or an average says little. */
export const MIN_VISITS = 30;

/** The rule as a sentence, for docs and descriptions. */
export const UNUSUAL = `further than ${SPREADS} spreads from the median of the same hour or day of the last ${WEEKS} weeks, of which ${MIN_WEEKS} must have visits. A spread is the largest of the median absolute deviation times ${MAD_SCALE}, a tenth of the median and, for counts, the square root of the median. Counts must differ by ${MIN_DIFFERENCE}; other metrics need ${MIN_VISITS} visits`;

export interface Seen {
  /** Null if unknown, such as a rate without visits. */
  value: number | null;
  visits: number;
}

export interface Condition {
  metric: Measure;
  /** Of money. */
  currency: string;
  condition: "above" | "below" | "unusual";
  /** Null for `unusual`. */
  threshold: number | null;
}

export type Verdict = { fires: false } | { fires: true; value: number; low: boolean; against: string };

const QUIET: Verdict = { fires: false };

export const isCount = (metric: Measure): boolean => MEASURES[metric].unit === "count";

/** Whether a measure is known without visits: counts, and what was earned. */
const isTotal = (metric: Measure): boolean => isCount(metric) || metric === "revenue" || metric === "conversion_value";

/** Formats a measure with all digits in English, because it is stored. */
export const measureText = (metric: Measure, value: number, currency: string): string =>
  inLanguage("en", () => {
    if (isCount(metric)) return formatExactly(value);
    return MEASURES[metric].unit === "money" ? formatAmount(value, currency) : formatMeasure(metric, value, currency);
  });

/** @param past the same hour or day of past weeks, without weeks before the first event of the site. */
export function judgeValue(rule: Condition, now: Seen, past: readonly Seen[]): Verdict {
  const { metric, condition, threshold, currency } = rule;
  const { value } = now;
  if (value === null || (!isTotal(metric) && now.visits < 1)) return QUIET;
  if (threshold !== null) {
    const low = condition === "below";
    const fires = low ? value < threshold : value > threshold;
    return fires ? { fires, value, low, against: `the limit is ${measureText(metric, threshold, currency)}` } : QUIET;
  }
  return judgeUnusual(rule, value, now.visits, past);
}

function judgeUnusual({ metric, currency }: Condition, value: number, visits: number, past: readonly Seen[]): Verdict {
  const usable = isCount(metric) ? past : past.filter((one) => one.visits >= MIN_VISITS);
  const values = usable.flatMap((one) => one.value ?? []);
  if (values.length < MIN_WEEKS || (!isCount(metric) && visits < MIN_VISITS)) return QUIET;
  const median = medianOf(values);
  const deviation = medianOf(values.map((one) => Math.abs(one - median)));
  const spread = Math.max(MAD_SCALE * deviation, median / 10, isCount(metric) ? Math.sqrt(median) : 0);
  const distance = Math.abs(value - median);
  if (distance <= SPREADS * spread || (isCount(metric) && distance < MIN_DIFFERENCE)) return QUIET;
  const against = `the same time of the last ${values.length} weeks had ${values.map((one) => measureText(metric, one, currency)).join(", ")}`;
  return { fires: true, value, low: value < median, against };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [a = 0, b = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return (a + b) / 2;
}
