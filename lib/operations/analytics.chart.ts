import { z } from "zod";
import {
  BUCKET_LABEL,
  BUCKET_PARTIAL,
  bucketsOf,
  type CalendarBucket,
  labelBefore,
  naturalInterval,
} from "@/lib/analytics/calendar/buckets";
import type { Range } from "@/lib/analytics/calendar/period";
import { chosenIn } from "@/lib/analytics/query/complete-query";
import { goalNamed } from "@/lib/analytics/query/goals";
import {
  changeOf,
  changeOfBuckets,
  type Metrics,
  metricsOf,
  metricsOfBuckets,
  NOTHING,
} from "@/lib/analytics/query/metrics";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import {
  askedOf,
  currencyOfOutcomes,
  dashboardOutcomes,
  GOAL_ABOUT,
  type OutcomeQuestion,
  outcomeFields,
  outcomesIn,
  outcomesOfRows,
} from "@/lib/analytics/reports/outcomes";
import { seriesTotals } from "@/lib/analytics/reports/series";
import { defineOperation, isPublicViewer, seesRevenue } from "@/lib/contract/define";
import { attribution, chosenGoal, type Interval, interval, metaShape, reportFields } from "@/lib/contract/fields";
import { localDay, startOfDay } from "@/lib/platform/time";
import { annotationShape, annotationsIn } from "@/lib/sites/saved/annotations";

const bucketShape = z.object({
  start: z.iso.datetime(),
  label: z.string().meta({ description: BUCKET_LABEL }),
  partial: z.boolean().meta({ description: BUCKET_PARTIAL }),
  ...metricsOfBuckets.shape,
  ...outcomeFields,
});
type Bucket = z.infer<typeof bucketShape>;

export default defineOperation({
  id: "analytics.chart",
  title: "Chart",
  about:
    "The metrics over time in buckets of local time without gaps, and their totals. Visits count when they started, events when they happened. Conversions of a chosen goal and, on a site with sales, revenue and orders are among them.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    interval: interval.meta({ description: "Bucket width; default depends on the range" }),
    goal: chosenGoal(GOAL_ABOUT),
    attribution,
  }),
  example: { site_id: 1, from: "2026-11-19", to: "2026-11-20", interval: "day" },
  output: z.object({
    meta: metaShape,
    metrics: metricsOfBuckets.extend(outcomeFields).meta({ description: "Totals of the range" }),
    previous: metricsOfBuckets.extend(outcomeFields).nullable().meta({ description: "Totals of the comparison range" }),
    change: changeOfBuckets.extend(outcomeFields).nullable(),
    currency: currencyOfOutcomes,
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
    const chosen = await chosenIn(site.id, input);
    const { scope, before, meta } = await scopeOf({ ...input, ...chosen }, site, now);
    const width = input.interval ?? naturalInterval(scope.range);
    const buckets = bucketsOf(scope.range, width, now);
    // Computed first: too many buckets are refused before anything is queried.
    const otherBuckets = before && bucketsBefore(before.range, width, buckets, now);
    const isPublic = isPublicViewer(principal);
    const goal = chosen.goal && !isPublic ? await goalNamed(site.id, chosen.goal) : null;
    const seriesIn = async (range: Scope, own: readonly CalendarBucket[]) =>
      series(range, width, own, seesRevenue(principal) ? await dashboardOutcomes(range, goal) : null);
    const [current, earlier, annotations] = await Promise.all([
      seriesIn(scope, buckets),
      before && otherBuckets && seriesIn(before, otherBuckets),
      isPublic ? [] : annotationsIn(db, site, scope.range),
    ]);
    const [metrics, previous] = [current.metrics, earlier?.metrics ?? null];
    return {
      meta: { ...meta, interval: width },
      metrics,
      previous,
      change: earlier && changeOf(metrics, earlier.metrics),
      currency: metrics.revenue === undefined && metrics.conversion_value === undefined ? null : site.currency,
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
function bucketsBefore(range: Range, width: Interval, buckets: readonly CalendarBucket[], now: Date): CalendarBucket[] {
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
  metrics: Metrics & ReturnType<typeof askedOf>;
}

async function series(
  scope: Scope,
  width: Interval,
  found: readonly CalendarBucket[],
  question: OutcomeQuestion | null,
): Promise<Series> {
  const starts = found.map(({ start }) => start);
  const trend = { interval: width, buckets: [...found], starts };
  const [{ totals, sums }, [reached = []] = [], total] = await Promise.all([
    seriesTotals(scope, width, starts),
    question ? outcomesOfRows(question, trend, [], [[]]) : undefined,
    question ? outcomesIn(question) : undefined,
  ]);
  const buckets = found.map(({ start, label, partial }, index) => ({
    start: start.toISOString(),
    label,
    partial,
    ...metricsOf(totals[index] ?? NOTHING),
    ...askedOf(question, reached[index], totals[index] ?? NOTHING),
  }));
  return { buckets, metrics: { ...metricsOf(sums), ...askedOf(question, total, sums) } };
}
