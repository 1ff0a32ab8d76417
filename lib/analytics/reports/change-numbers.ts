import { type DimensionKey, dimensionOf } from "@/lib/analytics/query/dimensions";
import { isRatio } from "@/lib/analytics/reports/change-parts";
import type { ChangedMetric, ChangedValue, Compared } from "@/lib/analytics/reports/changes";

/** Changes as numbers of answers: what a total, a value and the rest of a dimension were, are, and have changed. */

/** Removes what only the order of additions leaves in the last digits, and the sign of zero. */
const roundedTo = (number: number, places: number): number => Math.round(number * 10 ** places) / 10 ** places + 0;

/** Shares and ratios are small; sums may be large, so that fewer of their decimal places are exact. */
const RATIO_PLACES = 12;
const SUM_PLACES = 6;
export const exact = (metric: ChangedMetric, number: number): number =>
  roundedTo(number, isRatio(metric) ? RATIO_PLACES : SUM_PLACES);

interface ChangedNumbers {
  before: number | null;
  after: number | null;
  change: number | null;
}

/**
 * The metric of a total or value in both ranges; null if unknown, and for a ratio of nothing or of less: values of imported days
 * may be more than their total, so that what they leave is negative.
 */
export function changedNumbers(metric: ChangedMetric, { before, after }: Compared): ChangedNumbers {
  const ratioOrSum = ({ n, d }: Compared["before"]) => {
    if (n === null || (isRatio(metric) && d <= 0)) return null;
    return isRatio(metric) ? n / d : exact(metric, n);
  };
  const [was, is] = [ratioOrSum(before), ratioOrSum(after)];
  return { before: was, after: is, change: was === null || is === null ? null : exact(metric, is - was) };
}

/** The part of a change; null where nothing changed. */
const shareOf = (effect: number, change: number | null): number | null =>
  change ? roundedTo(effect / change, RATIO_PLACES) : null;

/** The numbers of a value of a dimension. */
export function valueNumbers(metric: ChangedMetric, one: ChangedValue, total: Compared) {
  const { change } = changedNumbers(metric, total);
  return {
    value: one.value,
    status: statusOf(metric, one),
    ...changedNumbers(metric, one),
    effect: exact(metric, one.effect),
    contribution: shareOf(exact(metric, one.effect), change),
    beyond_trend: exact(metric, one.effect - one.trend),
    ratio_parts: isRatio(metric) ? ratioParts(one, total) : null,
  };
}

function statusOf(metric: ChangedMetric, { before, after }: Compared): "new" | "lost" | "both" {
  const size = isRatio(metric) ? "d" : "n";
  if (before[size] === 0 && after[size] !== 0) return "new";
  return after[size] === 0 && before[size] !== 0 ? "lost" : "both";
}

/** The effect of a value's own ratio and that of its share, which has all of it where there is no own ratio to compare. */
function ratioParts({ before, after, effect }: ChangedValue, total: Compared) {
  const [shareBefore, shareAfter] = [before.d / total.before.d, after.d / total.after.d];
  const isComparable = before.d > 0 && after.d > 0;
  const within = isComparable ? ((shareBefore + shareAfter) / 2) * (after.n / after.d - before.n / before.d) : 0;
  return {
    share_before: roundedTo(shareBefore, RATIO_PLACES),
    share_after: roundedTo(shareAfter, RATIO_PLACES),
    mix: roundedTo(effect - within, RATIO_PLACES),
    within: roundedTo(within, RATIO_PLACES),
  };
}

/** What the listed values leave of a total, so that all effects add up to its change. */
export function restNumbers(metric: ChangedMetric, total: Compared, listed: readonly ChangedValue[]) {
  const left = (range: keyof Compared) => {
    const { n, d } = total[range];
    return {
      n: n === null ? null : n - sum(listed.map((one) => one[range].n)),
      d: d - sum(listed.map((one) => one[range].d)),
    };
  };
  const { change } = changedNumbers(metric, total);
  const effect = change === null ? null : exact(metric, change - sum(listed.map((one) => exact(metric, one.effect))));
  return {
    ...changedNumbers(metric, { before: left("before"), after: left("after") }),
    effect,
    contribution: effect === null ? null : shareOf(effect, change),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Whether each visit or event that a metric counts has at most one value of a dimension. */
export function isPartition(metric: ChangedMetric, key: DimensionKey): boolean {
  if (metric === "visitors") return false;
  return metric !== "visits" || dimensionOf(key).level === "visit";
}
