import {
  bucketName,
  bucketTick,
  formatCount,
  formatExactly,
  formatPercent,
  formatSeconds,
} from "@/components/reports/format";
import type { Interval } from "@/lib/contract/fields";

/** What a chart over time is made of. All of it can cross from the server to the browser. */

export type Kind = "line" | "area" | "stacked" | "bars";
export type Unit = "count" | "ratio" | "fraction" | "seconds" | "milliseconds" | "money";

export interface Bucket {
  /** The moment it begins. Unlike the label it is unique, even when a clock goes back. */
  start: string;
  /** Its local time, as operations answer it. */
  label: string;
  /** Whether it lies only partly in the range, or has not ended. */
  partial: boolean;
}

export interface Series {
  key: string;
  label: string;
  unit: Unit;
  /** Of a series of money, as in ISO 4217. */
  currency?: string;
  /** One for each bucket; null is unknown. */
  values: readonly (number | null)[];
  /** The axis it is measured on. */
  axis?: "left" | "right";
  /** A comparison is drawn muted and dotted, and takes no colour of its own. */
  tone?: "main" | "comparison";
  /** The labels of its own buckets, where they are not those of the chart. */
  labels?: readonly (string | null)[];
}

/** What was noted on the days of a chart. */
export interface Marker {
  id: string;
  /** The bucket it belongs to. */
  at: number;
  text: string;
}

export const axisOf = ({ axis = "left" }: Series): "left" | "right" => axis;
const isComparison = ({ tone }: Series): boolean => tone === "comparison";

/** A colour for each series; comparisons are muted. */
export function coloursOf(series: readonly Series[]): string[] {
  let next = 0;
  return series.map((one) => (isComparison(one) ? "var(--muted)" : `var(--chart-${(next++ % 6) + 1})`));
}

/** Dots for a comparison, nothing for a whole line. */
export const dashOf = (one: Series): string | undefined => (isComparison(one) ? "1.5 4" : undefined);
export const OPEN_DASH = "5 4";

/**
 * The bucket that has not ended, or null. Only the last one with a value can be: a bucket that the range cuts at its
 * beginning is partial too.
 */
export function openBucket(buckets: readonly Bucket[], series: readonly Series[]): number | null {
  const last = buckets.findLastIndex((_, index) =>
    series.some((one) => !isComparison(one) && typeof one.values[index] === "number"),
  );
  return last > 0 && buckets[last]?.partial ? last : null;
}

/** A value as its series' axis and tooltip show it; unknown is never 0. */
export function formatValue({ unit, currency }: Pick<Series, "unit" | "currency">, value: number | null): string {
  if (value === null) return "–";
  switch (unit) {
    case "count":
      return formatCount(value);
    case "ratio":
      return String(Math.round(value * 100) / 100);
    case "fraction":
      return formatPercent(value);
    case "seconds":
      return formatSeconds(value);
    case "milliseconds":
      return `${formatExactly(value)} ms`;
    case "money":
      return new Intl.NumberFormat("en", {
        style: "currency",
        currency: currency ?? "USD",
        currencyDisplay: "narrowSymbol",
        notation: Math.abs(value) >= 10_000 ? "compact" : "standard",
        maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2,
      }).format(value);
  }
}

const DECIMALS = Array.from({ length: 12 }, (_, power) => [1, 2, 2.5, 5].map((step) => step * 10 ** power)).flat();
const STEPS: Record<Unit, number[]> = {
  count: DECIMALS.filter(Number.isInteger),
  milliseconds: DECIMALS.filter(Number.isInteger),
  money: [0.25, 0.5, ...DECIMALS],
  ratio: [0.025, 0.05, 0.1, 0.25, 0.5, ...DECIMALS],
  fraction: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
  seconds: [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, ...DECIMALS.map((step) => step * 3600)],
};

/** Round values for an axis, from 0 (or a round value below it) to just above the highest value. */
export function axisTicks(series: readonly Series[], kind: Kind): number[] {
  const unit = series[0]?.unit ?? "count";
  const known =
    kind === "stacked" ? stackHeights(series) : series.flatMap(({ values }) => values.map((one) => one ?? 0));
  const [highest, lowest] = [Math.max(0, ...known), Math.min(0, ...known)];
  const span = Math.max(highest, -lowest);
  const step = STEPS[unit].find((candidate) => candidate * 4 >= span) ?? span / 4;
  const [first, last] = [Math.floor(lowest / step), Math.max(Math.ceil(highest / step), lowest < 0 ? 0 : 2)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Comparisons lie over a stack, not in it. */
function stackHeights(series: readonly Series[]): number[] {
  const stacked = series.filter((one) => !isComparison(one));
  const heights = (stacked[0]?.values ?? []).map((_, index) =>
    stacked.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  return [...heights, ...series.filter(isComparison).flatMap(({ values }) => values.map((one) => one ?? 0))];
}

/** Where the middle of a bucket lies, as a share of the width. */
export const placeOf = (kind: Kind, index: number, buckets: number): number =>
  kind === "bars" || buckets === 1 ? (index + 0.5) / buckets : index / (buckets - 1);

/** A bucket's name in full. */
export const nameOf = (label: string, interval: Interval): string => bucketName(label, interval);

const MOST_TICKS = 8;
/** What people count time by: hours of a day, days of a week, months of a year. */
const TICK_STEPS = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 56, 72, 96, 168];

/** The names of some buckets under the axis. */
export function timeTicks(buckets: readonly Bucket[], interval: Interval): { index: number; text: string }[] {
  const step = TICK_STEPS.find((one) => buckets.length / one <= MOST_TICKS) ?? Math.ceil(buckets.length / MOST_TICKS);
  const manyDays = buckets[0]?.label.slice(0, 10) !== buckets.at(-1)?.label.slice(0, 10);
  return buckets.flatMap(({ label }, index) =>
    index % step > 0 ? [] : [{ index, text: bucketTick(label, interval, manyDays) }],
  );
}

/** Why a bucket is not whole; null where it is. */
export function noteOf(
  buckets: readonly Bucket[],
  index: number,
  open: number | null,
  interval: Interval,
): string | null {
  if (index === open) return "still counting";
  return buckets[index]?.partial ? `only a part of the ${interval}` : null;
}

/** One bucket in words: every series' value, and what was noted. */
export function bucketSentence(
  index: number,
  chart: { buckets: readonly Bucket[]; series: readonly Series[]; markers: readonly Marker[]; interval: Interval },
): string {
  const { buckets, series, markers, interval } = chart;
  const note = noteOf(buckets, index, openBucket(buckets, series), interval);
  const values = series.flatMap((one) => {
    const own = one.labels?.[index];
    if (one.labels && own === null) return [];
    const value = formatValue(one, one.values[index] ?? null);
    return [series.length === 1 ? value : `${own ? nameOf(own, interval) : one.label} ${value}`];
  });
  const noted = markers.filter(({ at }) => at === index).map(({ text }) => text);
  const name = `${nameOf(buckets[index]?.label ?? "", interval)}: ${values.join(", ")}`;
  return [name, ...(note ? [note] : []), ...noted].join("; ");
}

/** A chart in one sentence, for people who do not see it. */
export function chartSentence(buckets: readonly Bucket[], series: readonly Series[], interval: Interval): string {
  const sentences = series
    .filter((one) => !isComparison(one))
    .map((one) => {
      const known = one.values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
      const [first] = known;
      if (!first) return `${one.label}: nothing is known for this range.`;
      const best = (isBetter: (a: number, b: number) => boolean) =>
        known.reduce((found, next) => (isBetter(next.value, found.value) ? next : found), first);
      const say = ({ value, index }: { value: number; index: number }) =>
        `${formatValue(one, value)} (${nameOf(buckets[index]?.label ?? "", interval)})`;
      return `${one.label}: highest ${say(best((a, b) => a > b))}, lowest ${say(best((a, b) => a < b))}.`;
    });
  return `${buckets.length} points. ${sentences.join(" ")}`;
}
