import { bucketName, formatCount, formatExactly, formatPercent, formatSeconds } from "@/components/ui/format";
import type { Interval } from "@/lib/contract/fields";
import { currentLocale, perLocale } from "@/lib/platform/locale";

/** What a chart over time is made of. All of it can cross from the server to the browser. */

export type Kind = "line" | "area" | "stacked" | "bars";
export type Unit = "count" | "ratio" | "fraction" | "seconds" | "milliseconds" | "money";

export interface Bucket {
  /** The moment it begins. Unlike the label it is unique, even when a clock goes back. */
  start: string;
  /** Its local time, as operations answer it. */
  label: string;
  /** What it is called where it is no time. */
  name?: string;
  /** Whether it lies only partly in the range, or has not ended. */
  partial: boolean;
}

export interface Series {
  key: string;
  label: string;
  /** What the legend adds to its name. */
  detail?: string;
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
export const isComparison = ({ tone }: Series): boolean => tone === "comparison";

/** A series with the colour that it keeps whatever else is hidden. */
export interface Drawn extends Series {
  colour: string;
}

const COLOURS = 6;

/** Gives each series its colour; comparisons are muted. What has not begun yet is unknown. */
export function drawnOf(series: readonly Series[], buckets: readonly Bucket[], growing = false): Drawn[] {
  const end = growing ? buckets.findLastIndex(({ partial }) => partial) : -1;
  let next = 0;
  return series.map((one) => ({
    ...one,
    colour: isComparison(one) ? "var(--muted)" : `var(--chart-${(next++ % COLOURS) + 1})`,
    values: end < 0 || isComparison(one) ? one.values : one.values.map((value, index) => (index > end ? null : value)),
  }));
}

/** Dots for a comparison, nothing for a whole line. */
export const dashOf = (one: Series): string | undefined => (isComparison(one) ? "1.5 4" : undefined);
export const OPEN_DASH = "5 4";

/** How opaque the area below a series is at its top and at its bottom; null where it is only a line. */
export function strengthOf(one: Series, kind: Kind): [number, number] | null {
  if (isComparison(one) || kind === "line" || kind === "bars") return null;
  if (kind === "stacked") return [0.6, 0.6];
  return axisOf(one) === "right" ? null : [0.2, 0];
}

/**
 * The bucket that has not ended, or null. Only the last one with a value can be: a bucket that the range cuts at its
 * beginning is partial too.
 */
export function openBucket(buckets: readonly Bucket[], series: readonly Series[], growing?: boolean): number | null {
  if (growing === false) return null;
  const last = buckets.findLastIndex((_, index) =>
    series.some((one) => !isComparison(one) && typeof one.values[index] === "number"),
  );
  return buckets[last]?.partial ? last : null;
}

const short = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }));
const smallPercent = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }),
);

/** A value as its series' axis and tooltip show it; unknown is never 0. */
export function formatValue({ unit, currency }: Pick<Series, "unit" | "currency">, value: number | null): string {
  if (value === null) return "–";
  switch (unit) {
    case "count":
      return formatCount(value);
    case "ratio":
      return short().format(value);
    case "fraction":
      return Math.abs(value) >= 0.1 ? formatPercent(value) : smallPercent().format(value);
    case "seconds":
      return formatSeconds(value);
    case "milliseconds":
      return value < 1000 ? `${formatExactly(value)} ms` : `${short().format(value / 1000)} s`;
    case "money": {
      const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : 2;
      return new Intl.NumberFormat(currentLocale(), {
        style: "currency",
        currency: currency ?? "USD",
        currencyDisplay: "narrowSymbol",
        notation: Math.abs(value) >= 10_000 ? "compact" : "standard",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(value);
    }
  }
}

/** A bucket's name in full. */
export const nameOf = (index: number, { buckets, interval }: Pick<Content, "buckets" | "interval">): string =>
  buckets[index]?.name ?? bucketName(buckets[index]?.label ?? "", interval);

/** What a series calls its own bucket, where that is another than the chart's; null where it has none. */
export const ownName = ({ label, labels }: Series, index: number, interval: Interval): string | null => {
  const own = labels?.[index];
  if (own) return bucketName(own, interval);
  return labels ? null : label;
};

/** What a chart shows: what is not hidden. */
export interface Content {
  buckets: readonly Bucket[];
  series: readonly Drawn[];
  markers: readonly Marker[];
  interval: Interval;
  /** The bucket that has not ended. */
  open: number | null;
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
export function bucketSentence(index: number, content: Content): string {
  const { buckets, series, markers, interval, open } = content;
  const note = noteOf(buckets, index, open, interval);
  const main = series.filter((one) => !isComparison(one));
  const say = (one: Series) => formatValue(one, one.values[index] ?? null);
  const values = main.map((one) => (main.length === 1 ? say(one) : `${one.label} ${say(one)}`));
  const before = series.filter(isComparison).flatMap((one) => {
    const name = ownName(one, index, interval);
    return name === null ? [] : [`${name}: ${say(one)}`];
  });
  const noted = markers.filter(({ at }) => at === index).map(({ text }) => text);
  const now = [...values, ...(note ? [note] : [])].join(", ");
  return [`${nameOf(index, content)}: ${now}`, ...before, ...noted].join("; ");
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
        `${formatValue(one, value)} (${nameOf(index, { buckets, interval })})`;
      return `${one.label}: highest ${say(best((a, b) => a > b))}, lowest ${say(best((a, b) => a < b))}.`;
    });
  return `${buckets.length} points. ${sentences.join(" ")}`;
}
