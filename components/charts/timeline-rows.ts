import type { Bucket, Chart, Headline } from "@/components/reports/answers";

/** One place on the time axis. */
export interface Row {
  /** The moment it begins; unlike the label it is never there twice, not even when a clock goes back. */
  start: string;
  label: string;
  /** The finished part of the line. */
  whole: number | null;
  /** The last stretch of it, up to a bucket that still grows. */
  growing: number | null;
  before: number | null;
  /** The bucket of the comparison beside this one. */
  beforeLabel: string | null;
  value: number | null;
  /** Why the bucket is not whole; null where it is. */
  note: string | null;
}

/** The chart's buckets for one metric. Buckets after the one that still grows have not happened yet and stay empty. */
export function timelineRows({ meta, buckets, comparison }: Chart, metric: Headline): Row[] {
  // A bucket that the range cuts is partial too, and never lies behind the one that still grows.
  const growingAt = meta.partial ? buckets.findLastIndex((bucket) => bucket.partial) : -1;
  const last = growingAt < 0 ? buckets.length - 1 : growingAt;
  return buckets.map((bucket, index) => {
    const value = index <= last ? bucket[metric] : null;
    const before = comparison?.[index] ?? null;
    return {
      start: bucket.start,
      label: bucket.label,
      whole: index < last || growingAt < 0 ? value : null,
      growing: growingAt >= 0 && (index === last || index === last - 1) ? value : null,
      before: before?.[metric] ?? null,
      beforeLabel: before?.label ?? null,
      value,
      note: index === growingAt ? "still counting" : bucket.partial ? `only a part of the ${meta.interval}` : null,
    };
  });
}

/** The chart in one sentence, for those who do not see it. */
export function timelineSentence(
  buckets: Bucket[],
  metric: Headline,
  name: string,
  say: { bucket(label: string): string; value(value: number | null): string },
): string {
  const known = buckets.filter((bucket) => bucket[metric] !== null);
  const first = known[0];
  if (!first) return `${name}: nothing is known for this range.`;
  const at = (pick: (a: number, b: number) => boolean) =>
    known.reduce((best, bucket) => (pick(bucket[metric] ?? 0, best[metric] ?? 0) ? bucket : best), first);
  const high = at((a, b) => a > b);
  const low = at((a, b) => a < b);
  const points = `${buckets.length} points from ${say.bucket(first.label)}`;
  return `${name}, ${points}. Highest ${say.value(high[metric])} (${say.bucket(high.label)}), lowest ${say.value(low[metric])} (${say.bucket(low.label)}).`;
}

/** One place of the axis in words. */
export function pointSentence(
  { label, value, before, beforeLabel, note }: Row,
  say: { name(label: string): string; value(value: number | null): string },
): string {
  const now = `${say.name(label)}: ${say.value(value)}${note ? `, ${note}` : ""}`;
  return beforeLabel === null ? now : `${now}; ${say.name(beforeLabel)}: ${say.value(before)}`;
}

const decimals = Array.from({ length: 10 }, (_, power) => [1, 2, 2.5, 5].map((step) => step * 10 ** power)).flat();
const STEPS = {
  count: decimals.filter(Number.isInteger),
  ratio: [0.5, ...decimals],
  fraction: [0.05, 0.1, 0.25],
  seconds: [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, ...decimals.map((step) => step * 3600)],
};

/** Round values for the axis, from 0 to just above the highest value, three to five of them. */
export function axisTicks(rows: Row[], unit: keyof typeof STEPS): number[] {
  const highest = Math.max(0, ...rows.flatMap((row) => [row.value ?? 0, row.before ?? 0]));
  const step = STEPS[unit].find((candidate) => candidate * 4 >= highest) ?? highest / 4;
  const lines = Math.max(2, Math.ceil(highest / step));
  return Array.from({ length: lines + 1 }, (_, index) => index * step);
}
