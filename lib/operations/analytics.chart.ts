import { z } from "zod";
import {
  BUCKET_LABEL,
  BUCKET_PARTIAL,
  bucketsOf,
  labelBefore,
  naturalInterval,
  type Stretch,
} from "@/lib/analytics/calendar/buckets";
import type { Range } from "@/lib/analytics/calendar/period";
import {
  add,
  changeOf,
  changeOfBuckets,
  metricsOf,
  metricsOfBuckets,
  NOTHING,
  type Sums,
} from "@/lib/analytics/query/metrics";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { sumsBy } from "@/lib/analytics/reports/series";
import { defineOperation, isPublicViewer } from "@/lib/contract/define";
import { type Interval, interval, metaShape, reportFields } from "@/lib/contract/fields";
import { localDay, startOfDay } from "@/lib/platform/time";
import { annotationShape, annotationsIn } from "@/lib/sites/saved/annotations";

const bucketShape = z.object({
  start: z.iso.datetime(),
  label: z.string().meta({ description: BUCKET_LABEL }),
  partial: z.boolean().meta({ description: BUCKET_PARTIAL }),
  ...metricsOfBuckets.shape,
});
type Bucket = z.infer<typeof bucketShape>;

export default defineOperation({
  id: "analytics.chart",
  title: "Chart",
  about:
    "The metrics over time in buckets of local time without gaps, and their totals. Visits count when they started, events when they happened.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    interval: interval.meta({ description: "Bucket width; default depends on the range" }),
  }),
  example: { site_id: 1, from: "2026-11-19", to: "2026-11-20", interval: "day" },
  output: z.object({
    meta: metaShape,
    metrics: metricsOfBuckets.meta({ description: "Totals of the range" }),
    previous: metricsOfBuckets.nullable().meta({ description: "Totals of the comparison range" }),
    change: changeOfBuckets.nullable(),
    buckets: z.array(bucketShape),
    comparison: z.array(bucketShape.nullable()).nullable().meta({
      description:
        "The comparison range: one bucket for each of `buckets`, null if it has none. If it is longer than the range, only `previous` includes the rest",
    }),
    annotations: z.array(annotationShape).meta({
      description: "Annotations within the range, oldest first; at most the latest 100",
    }),
  }),

  async run({ input, site, principal, db, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const width = input.interval ?? naturalInterval(scope.range);
    const buckets = bucketsOf(scope.range, width, now);
    // Computed first: too many buckets are refused before anything is queried.
    const otherBuckets = before && bucketsBefore(before.range, width, buckets, now);
    const [current, earlier, annotations] = await Promise.all([
      series(scope, width, buckets),
      before && otherBuckets && series(before, width, otherBuckets),
      isPublicViewer(principal) ? [] : annotationsIn(db, site, scope.range),
    ]);
    const [metrics, previous] = [metricsOf(current.sums), earlier && metricsOf(earlier.sums)];
    return {
      meta: { ...meta, interval: width },
      metrics,
      previous,
      change: previous && changeOf(metrics, previous),
      buckets: current.buckets,
      comparison: earlier && before && matchingBuckets(current.buckets, earlier.buckets, before),
      annotations,
    };
  },
});

/**
 * Returns the buckets of the comparison range. Weeks and months are those of the report, shifted back with their
 * labels, so that their lengths are equal and they add up to the comparison range.
 */
function bucketsBefore(range: Range, width: Interval, buckets: readonly Stretch[], now: Date): Stretch[] {
  const { timezone, back } = range;
  if (!back || (width !== "week" && width !== "month")) return bucketsOf(range, width, now);
  const moved = buckets.map(({ start, label, partial }, index) => ({
    start: index === 0 ? range.start : startOfDay(localDay(start, timezone).subtract(back), timezone),
    label: labelBefore(label, back),
    partial,
  }));
  return moved.filter(({ start }) => start < range.end);
}

/**
 * Returns the comparison bucket for each bucket of the range. Buckets match by label, so that 9:00 matches 9:00 across
 * a clock change. A comparison range of another length is matched by position.
 */
function matchingBuckets(buckets: Bucket[], previous: Bucket[], { range }: Scope): (Bucket | null)[] {
  const byLabel = new Map(previous.map((bucket) => [bucket.label, bucket]));
  const { back } = range;
  if (!back) return buckets.map((_, index) => previous[index] ?? null);
  return buckets.map(({ label }) => byLabel.get(labelBefore(label, back)) ?? null);
}

interface Series {
  buckets: Bucket[];
  /** Totals of all buckets. */
  sums: Sums;
}

async function series(scope: Scope, width: Interval, found: readonly Stretch[]): Promise<Series> {
  const starts = found.map(({ start }) => start);
  const { totals, sums } = await (isWithinDay(width)
    ? sumsWithinDays(scope, starts)
    : sumsOfDays(scope, width, starts));
  const buckets = found.map(({ start, label, partial }, index) => ({
    start: start.toISOString(),
    label,
    partial,
    ...metricsOf(totals[index] ?? NOTHING),
  }));
  return { buckets, sums };
}

interface Totals {
  /** One per bucket. */
  totals: Sums[];
  /** Over the whole range. */
  sums: Sums;
}

const isWithinDay = (width: Interval) => width === "hour" || width === "minute";

/** Hours do not add up to the total: visitors are counted once per day, and imported days have no hours. */
async function sumsWithinDays(scope: Scope, starts: Date[]): Promise<Totals> {
  const [totals, sums] = await Promise.all([sumsBy(scope, starts), sumsOf(scope, ["visits", "events"])]);
  return { totals, sums };
}

/** Weeks and months are sums of days, because visitors are counted once per day. Closed days come from rollups. */
async function sumsOfDays(scope: Scope, width: Interval, starts: Date[]): Promise<Totals> {
  const daily = await sumsBy(scope, scope.days);
  const sums = daily.reduce(add, NOTHING);
  if (width === "day") return { totals: daily, sums };
  const totals = starts.map(() => NOTHING);
  let bucket = 0;
  for (const [index, day] of scope.days.entries()) {
    while (bucket + 1 < starts.length && day >= (starts[bucket + 1] as Date)) bucket++;
    totals[bucket] = add(totals[bucket] ?? NOTHING, daily[index] ?? NOTHING);
  }
  return { totals, sums };
}
