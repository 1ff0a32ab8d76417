import type { Bucket, Chart, Headline } from "@/components/reports/answers";

/** One place on the time axis. */
export interface Row {
  label: string;
  /** The finished part of the line. */
  whole: number | null;
  /** The last stretch of it, up to a bucket that still grows. */
  growing: number | null;
  before: number | null;
  /** The bucket of the comparison beside this one. */
  beforeLabel: string | null;
  value: number | null;
  partial: boolean;
}

/** The chart's buckets for one metric. Buckets after the one that still grows have not happened yet and stay empty. */
export function timelineRows({ buckets, comparison }: Chart, metric: Headline): Row[] {
  const growingAt = buckets.findIndex((bucket) => bucket.partial);
  const last = growingAt < 0 ? buckets.length - 1 : growingAt;
  return buckets.map((bucket, index) => {
    const value = index <= last ? bucket[metric] : null;
    const before = comparison?.[index] ?? null;
    return {
      label: bucket.label,
      whole: index < last || growingAt < 0 ? value : null,
      growing: growingAt >= 0 && (index === last || index === last - 1) ? value : null,
      before: before && before[metric],
      beforeLabel: before && before.label,
      value,
      partial: bucket.partial,
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
