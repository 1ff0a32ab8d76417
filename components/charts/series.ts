import { bucketName } from "@/components/ui/format";
import type { Interval } from "@/lib/contract/fields";
import { formatAmount, formatCount, formatMs, formatPercent, formatSeconds, numbers } from "@/lib/contract/numbers";
import { msg, t } from "@/lib/texts/translate";

/** The data of a chart over time. All of it can be passed from Server to Client Components. */

export type Kind = "line" | "area" | "stacked" | "bars";
export type Unit = "count" | "ratio" | "fraction" | "seconds" | "milliseconds" | "money";

export interface Bucket {
  /** Start time (ISO 8601). Unlike the label it is unique, even when clocks are set back. */
  start: string;
  /** Local time, as in the answers of operations. */
  label: string;
  /** Display name for a bucket that is not a time. */
  name?: string;
  /** Whether it is only partly in the range or still in progress. */
  partial: boolean;
}

export interface Series {
  key: string;
  label: string;
  /** Additional text in the legend. */
  detail?: string;
  unit: Unit;
  /** ISO 4217 code, for money. */
  currency?: string;
  /** One value per bucket; null if unknown. */
  values: readonly (number | null)[];
  axis?: "left" | "right";
  /** A comparison is drawn muted and dotted, without a colour of its own. */
  tone?: "main" | "comparison";
  /** Labels of its own buckets, if they differ from the chart's. */
  labels?: readonly (string | null)[];
}

/** Returns the series of one count of the buckets. */
export const countsOf = <Key extends string>(
  buckets: readonly Record<Key, number | null>[],
  key: Key,
  label: string,
): Series => ({ key, label, unit: "count", values: buckets.map((bucket) => bucket[key]) });

/** A range of values of the left axis, coloured behind the series; the first one begins at the lowest value. */
export interface Band {
  /** Its highest value; null for all above the one before. */
  upTo: number | null;
  /** Tailwind class of its colour. */
  fill: string;
}

/** An annotation on a chart. */
export interface Marker {
  id: string;
  /** Index of its bucket. */
  at: number;
  text: string;
}

export const axisOf = ({ axis = "left" }: Series): "left" | "right" => axis;
export const isComparison = ({ tone }: Series): boolean => tone === "comparison";

/** A series with its colour, which does not change when other series are hidden. */
export interface Drawn extends Series {
  colour: string;
}

const COLOURS = 6;

/** Assigns a colour to each series (comparisons are muted) and sets values of future buckets to unknown. */
export function drawnOf(series: readonly Series[], buckets: readonly Bucket[], growing = false): Drawn[] {
  const end = growing ? buckets.findLastIndex(({ partial }) => partial) : -1;
  let next = 0;
  return series.map((one) => ({
    ...one,
    colour: isComparison(one) ? "var(--muted)" : `var(--chart-${(next++ % COLOURS) + 1})`,
    values: end < 0 || isComparison(one) ? one.values : one.values.map((value, index) => (index > end ? null : value)),
  }));
}

/** Returns the dash pattern of a series: dots for a comparison, none otherwise. */
export const dashOf = (one: Series): string | undefined => (isComparison(one) ? "1.5 4" : undefined);
export const OPEN_DASH = "5 4";

/** Returns the opacity of the area below a series at its top and bottom; null if it has no area. */
export function strengthOf(one: Series, kind: Kind): [number, number] | null {
  if (isComparison(one) || kind === "line" || kind === "bars") return null;
  if (kind === "stacked") return [0.6, 0.6];
  return axisOf(one) === "right" ? null : [0.2, 0];
}

/**
 * Returns the index of the bucket in progress, or null. It must be the last one with a value, because the first bucket
 * of a range can be partial too.
 */
export function openBucket(buckets: readonly Bucket[], series: readonly Series[], growing?: boolean): number | null {
  if (growing === false) return null;
  const last = buckets.findLastIndex((_, index) =>
    series.some((one) => !isComparison(one) && typeof one.values[index] === "number"),
  );
  return buckets[last]?.partial ? last : null;
}

const short = numbers({ maximumFractionDigits: 3 });
const compact = numbers({ notation: "compact", maximumFractionDigits: 1 });

type Unitary = Pick<Series, "unit" | "currency">;

/** Formats a value as reports do; an unknown value is "–", never 0. */
export function formatValue({ unit, currency = "USD" }: Unitary, value: number | null): string {
  if (value === null) return "–";
  switch (unit) {
    case "count":
      return formatCount(value);
    case "ratio":
      return short().format(value);
    case "fraction":
      return formatPercent(value);
    case "seconds":
      return formatSeconds(value);
    case "milliseconds":
      return formatMs(value);
    case "money":
      return formatAmount(value, currency);
  }
}

/** Formats a value of an axis, which is round. */
export function formatTick(of: Unitary, value: number): string {
  if (of.unit === "milliseconds" && value >= 1000) return `${short().format(value / 1000)} s`;
  if (of.unit === "money")
    return `${(value < 10_000 ? short() : compact()).format(value)}\u00a0${of.currency ?? "USD"}`;
  return formatValue(of, value);
}

/** Returns the full name of a bucket. */
export const bucketNameAt = (index: number, { buckets, interval }: Pick<Content, "buckets" | "interval">): string =>
  buckets[index]?.name ?? bucketName(buckets[index]?.label ?? "", interval);

/** Returns a value's name in the tooltip: the date of the series' own bucket, else its label; null if it has none. */
export const ownName = ({ label, labels }: Series, index: number, interval: Interval): string | null => {
  const own = labels?.[index];
  if (own) return bucketName(own, interval);
  return labels ? null : label;
};

/** The visible content of a chart. */
export interface Content {
  buckets: readonly Bucket[];
  series: readonly Drawn[];
  markers: readonly Marker[];
  interval: Interval;
  /** Index of the bucket in progress. */
  open: number | null;
}

/** Returns why a bucket is incomplete; null if it is complete. */
export function noteOf(
  buckets: readonly Bucket[],
  index: number,
  open: number | null,
  interval: Interval,
): string | null {
  if (index === open) return t("still counting");
  return buckets[index]?.partial ? t(PARTIAL[interval]) : null;
}

const PARTIAL: Record<Interval, string> = {
  minute: msg("partial minute"),
  hour: msg("partial hour"),
  day: msg("partial day"),
  week: msg("partial week"),
  month: msg("partial month"),
};

/** Describes a bucket in a sentence: the value of each series and the annotations. */
export function bucketSentence(index: number, content: Content): string {
  const { buckets, series, markers, interval, open } = content;
  const note = noteOf(buckets, index, open, interval);
  const main = series.filter((one) => !isComparison(one));
  const textOf = (one: Series) => formatValue(one, one.values[index] ?? null);
  const values = main.map((one) => (main.length === 1 ? textOf(one) : `${one.label} ${textOf(one)}`));
  const before = series.filter(isComparison).flatMap((one) => {
    const name = ownName(one, index, interval);
    return name === null ? [] : [`${name}: ${textOf(one)}`];
  });
  const annotations = markers.filter(({ at }) => at === index).map(({ text }) => text);
  const now = [...values, ...(note ? [note] : [])].join(", ");
  return [`${bucketNameAt(index, content)}: ${now}`, ...before, ...annotations].join("; ");
}

/** Describes a chart for screen readers: the number of points and each series' highest and lowest value. */
export function chartSentence(buckets: readonly Bucket[], series: readonly Series[], interval: Interval): string {
  const sentences = series
    .filter((one) => !isComparison(one))
    .map((one) => {
      const known = one.values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
      const [first] = known;
      if (!first) return t("{series}: no data for this range.", { series: one.label });
      const best = (isBetter: (a: number, b: number) => boolean) =>
        known.reduce((found, next) => (isBetter(next.value, found.value) ? next : found), first);
      const pointText = ({ value, index }: { value: number; index: number }) =>
        `${formatValue(one, value)} (${bucketNameAt(index, { buckets, interval })})`;
      return t("{series}: highest {highest}, lowest {lowest}.", {
        series: one.label,
        highest: pointText(best((a, b) => a > b)),
        lowest: pointText(best((a, b) => a < b)),
      });
    });
  return [t("{count} points.", { count: buckets.length }), ...sentences].join(" ");
}
