import { type Bucket, isComparison, type Kind, type Series, type Unit } from "@/components/charts/series";
import { bucketTick } from "@/components/ui/format";
import type { Interval } from "@/lib/contract/fields";

/** Positions on a chart. */

const DECIMALS = Array.from({ length: 12 }, (_, power) => [1, 2, 2.5, 5].map((step) => step * 10 ** power)).flat();
const STEPS: Record<Unit, number[]> = {
  count: DECIMALS.filter(Number.isInteger),
  milliseconds: DECIMALS.filter(Number.isInteger),
  money: [0.25, 0.5, ...DECIMALS],
  ratio: [0.025, 0.05, 0.1, 0.25, 0.5, ...DECIMALS],
  fraction: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
  seconds: [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, ...DECIMALS.map((step) => step * 3600)],
};

/** Returns round tick values from 0 (or a round value below the lowest) to just above the highest value. */
export function axisTicks(series: readonly Series[], kind: Kind): number[] {
  const unit = series[0]?.unit ?? "count";
  const known =
    kind === "stacked" ? stackHeights(series) : series.flatMap(({ values }) => values.map((one) => one ?? 0));
  const [highest, lowest] = [Math.max(0, ...known), Math.min(0, ...known)];
  const span = Math.max(highest, -lowest);
  const step = STEPS[unit].find((candidate) => candidate * 4 >= span) ?? span / 4;
  const [first, last] = [Math.floor(lowest / step), Math.max(Math.ceil(highest / step), lowest < 0 ? 0 : 2)];
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Returns the height of each series in a bucket; stacked series add up. */
export function heightsAt(kind: Kind, series: readonly Series[], index: number): (number | null)[] {
  let below = 0;
  return series.map((one) => {
    const value = one.values[index] ?? null;
    if (value === null || kind !== "stacked" || isComparison(one)) return value;
    below += value;
    return below;
  });
}

/** Returns the heights of the stack and of the comparisons, which are drawn over the stack. */
function stackHeights(series: readonly Series[]): number[] {
  const stacked = series.filter((one) => !isComparison(one));
  const heights = (stacked[0]?.values ?? []).map((_, index) =>
    stacked.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  return [...heights, ...series.filter(isComparison).flatMap(({ values }) => values.map((one) => one ?? 0))];
}

/** Returns whether each bucket has a band. Otherwise the first and last point of a line are at the chart's edges. */
const hasBands = (kind: Kind, buckets: number): boolean => kind === "bars" || buckets === 1;

/** Returns the x position of the middle of a bucket, as a share of the width. */
export const placeOf = (kind: Kind, index: number, buckets: number): number =>
  hasBands(kind, buckets) ? (index + 0.5) / buckets : index / (buckets - 1);

/** Returns the index of the bucket at an x position. @param share the position as a share of the width */
export function bucketAt(kind: Kind, share: number, buckets: number): number {
  const index = hasBands(kind, buckets) ? Math.floor(share * buckets) : Math.round(share * (buckets - 1));
  return Math.min(buckets - 1, Math.max(0, index));
}

/** Returns the x range of two buckets and those between them, as shares of the width. */
export function spanOf(kind: Kind, [a, b]: readonly [number, number], buckets: number): { from: number; to: number } {
  const half = hasBands(kind, buckets) ? 0.5 / buckets : 0;
  const [first, last] = [Math.min(a, b), Math.max(a, b)].map((index) => placeOf(kind, index, buckets)) as [
    number,
    number,
  ];
  return { from: first - half, to: last + half };
}

const MOST_TICKS = 8;
/** Steps between time labels that fit days, weeks and years. */
const TICK_STEPS = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 56, 72, 96, 168];

/** The label of a bucket under the axis. */
export interface Name {
  index: number;
  text: string;
  /** Hidden on narrow charts. */
  rare: boolean;
}

/** Longer labels need twice the space. */
const LONG = 9;

/** Returns the labels under the time axis. */
export function timeTicks(buckets: readonly Bucket[], interval: Interval): Name[] {
  const step = TICK_STEPS.find((one) => buckets.length / one <= MOST_TICKS) ?? Math.ceil(buckets.length / MOST_TICKS);
  const manyDays = buckets[0]?.label.slice(0, 10) !== buckets.at(-1)?.label.slice(0, 10);
  return buckets.flatMap(({ label, name }, index) => {
    if (index % step > 0) return [];
    const text = name ?? bucketTick(label, interval, manyDays);
    return [{ index, text, rare: (index / step) % (text.length > LONG ? 3 : 2) > 0 }];
  });
}
