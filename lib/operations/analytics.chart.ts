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
  visitors: z.int(),
  visits: z.int(),
  pageviews: z.int(),
  events: z.int(),
  views_per_visit: z.number().nullable(),
  bounce_rate: z.number().nullable(),
  visit_duration: z.number().nullable(),
  time_on_page: z.number().nullable(),
});
type Bucket = z.infer<typeof bucketShape>;

export default defineOperation({
  id: "analytics.chart",
  title: "Chart",
  about:
    "The metrics over time in gap-free buckets of local time, and what these come to. Visits count where they began, events where they happened.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    interval: interval.meta({ description: "Width of a bucket; by default it fits the range" }),
  }),
  example: { site_id: 1, period: "7d", interval: "day" },
  output: z.object({
    meta: metaShape,
    metrics: metricsOfBuckets.meta({ description: "What the whole range comes to" }),
    previous: metricsOfBuckets.nullable().meta({ description: "The same of the comparison range" }),
    change: changeOfBuckets.nullable(),
    buckets: z.array(bucketShape),
    comparison: z.array(bucketShape.nullable()).nullable().meta({
      description:
        "The comparison range, bucket by bucket beside `buckets`; null where it has none. Of a longer one, `previous` counts the rest too",
    }),
    annotations: z.array(annotationShape).meta({
      description:
        "What people and agents of the site noted on days and moments of the range, oldest first; of more than 100 the latest",
    }),
  }),

  async run({ input, site, principal, db, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const width = input.interval ?? naturalInterval(scope.range);
    const buckets = bucketsOf(scope.range, width, now);
    const [told, earlier, annotations] = await Promise.all([
      series(scope, width, buckets),
      before && series(before, width, bucketsBefore(before.range, width, buckets, now)),
      isPublicViewer(principal) ? [] : annotationsIn(db, site, scope.range),
    ]);
    const [metrics, previous] = [metricsOf(told.sums), earlier && metricsOf(earlier.sums)];
    return {
      meta: { ...meta, interval: width },
      metrics,
      previous,
      change: previous && changeOf(metrics, previous),
      buckets: told.buckets,
      comparison: earlier && before && beside(told.buckets, earlier.buckets, before),
      annotations,
    };
  },
});

/**
 * The buckets of a comparison. Weeks and months are those of the range, moved back with it, their labels too: their lengths
 * stay equal and their sums are the comparison's.
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
 * The comparison's bucket for each bucket of the range, by label, so that 9:00 meets 9:00 when the clock changed between. A
 * comparison of more or fewer days has no such labels: its buckets follow by their places.
 */
function beside(buckets: Bucket[], previous: Bucket[], { range }: Scope): (Bucket | null)[] {
  const named = new Map(previous.map((bucket) => [bucket.label, bucket]));
  const { back } = range;
  if (!back) return buckets.map((_, index) => previous[index] ?? null);
  return buckets.map(({ label }) => named.get(labelBefore(label, back)) ?? null);
}

interface Series {
  buckets: Bucket[];
  /** What they come to. */
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
  /** Of each bucket. */
  totals: Sums[];
  /** Of all of them. */
  sums: Sums;
}

const isWithinDay = (width: Interval) => width === "hour" || width === "minute";

/** A visitor of several hours of a day is one visitor of the day, and imported days have no hours: hours do not add up. */
async function sumsWithinDays(scope: Scope, starts: Date[]): Promise<Totals> {
  const [totals, sums] = await Promise.all([sumsBy(scope, starts), sumsOf(scope, ["visits", "events"])]);
  return { totals, sums };
}

/** Weeks and months are sums of their days, because a visitor is one visitor a day. Of days, the sealed ones are known. */
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
