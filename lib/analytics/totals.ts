import { bucketOf, inScope, type Scope } from "@/lib/analytics/question";
import { EVENT_TYPES, type Metric } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";

/** Sums that may be added up over buckets and days. Every metric is made of them. */
export interface Totals {
  visitors: number;
  visits: number;
  bounces: number;
  durationMs: number;
  pageviews: number;
  events: number;
  engagementMs: number;
  engaged: number;
}

export const NOTHING: Totals = {
  visitors: 0,
  visits: 0,
  bounces: 0,
  durationMs: 0,
  pageviews: 0,
  events: 0,
  engagementMs: 0,
  engaged: 0,
};

export const add = (a: Totals, b: Totals): Totals => ({
  visitors: a.visitors + b.visitors,
  visits: a.visits + b.visits,
  bounces: a.bounces + b.bounces,
  durationMs: a.durationMs + b.durationMs,
  pageviews: a.pageviews + b.pageviews,
  events: a.events + b.events,
  engagementMs: a.engagementMs + b.engagementMs,
  engaged: a.engaged + b.engaged,
});

/**
 * The totals of each bucket of a scope, gap-free. Visits count in the bucket in which they began, events in the
 * bucket in which they happened; `visitors` are distinct within each bucket, so a bucket is at most a local day.
 */
export async function totalsBy(scope: Scope, starts: Date[]): Promise<Totals[]> {
  const [visits, events] = await Promise.all([visitSums(scope, starts), eventSums(scope, starts)]);
  const buckets = starts.map(() => ({ ...NOTHING }));
  for (const row of [...visits, ...events]) {
    const { bucket, ...sums } = row;
    if (buckets[bucket]) Object.assign(buckets[bucket], sums);
  }
  return buckets;
}

type Sums<Keys extends keyof Totals> = { bucket: number } & Pick<Totals, Keys>;

const visitSums = (scope: Scope, starts: Date[]) =>
  reports().$queryRaw<Sums<"visitors" | "visits" | "bounces" | "durationMs">[]>`
    SELECT ${bucketOf(Prisma.sql`started`, starts)}::int AS bucket,
           count(DISTINCT visitor_id)::int AS visitors,
           count(*)::int AS visits,
           (count(*) FILTER (WHERE pageviews < 2 AND interactions = 0))::int AS bounces,
           sum(duration_ms)::float8 AS "durationMs"
    FROM facts.visit AS fact WHERE ${inScope(scope, "started")}
    GROUP BY 1`;

const eventSums = (scope: Scope, starts: Date[]) =>
  reports().$queryRaw<Sums<"pageviews" | "events" | "engagementMs" | "engaged">[]>`
    SELECT ${bucketOf(Prisma.sql`ts`, starts)}::int AS bucket,
           (count(*) FILTER (WHERE type IN (${EVENT_TYPES.pageview}, ${EVENT_TYPES.screen})))::int AS pageviews,
           (count(*) FILTER (WHERE type IN (${EVENT_TYPES.event}, ${EVENT_TYPES.commerce})))::int AS events,
           coalesce(sum(engagement_ms), 0)::float8 AS "engagementMs",
           (count(*) FILTER (WHERE type = ${EVENT_TYPES.engagement}))::int AS engaged
    FROM facts.event AS fact WHERE ${inScope(scope, "ts")}
    GROUP BY 1`;

/** Average, over the pages of each visit, of the furthest point scrolled to; null when nothing was reported. */
export async function scrollDepth(scope: Scope): Promise<number | null> {
  const rows = await reports().$queryRaw<{ depth: number | null }[]>`
    SELECT avg(furthest)::float8 / 100 AS depth FROM (
      SELECT max(scroll) AS furthest FROM facts.event AS fact
      WHERE ${inScope(scope, "ts")} AND type = ${EVENT_TYPES.engagement} AND scroll IS NOT NULL
      GROUP BY visit_id, page) AS pages`;
  return rows[0]?.depth ?? null;
}

export type Metrics = Record<Exclude<Metric, "scroll_depth">, number | null> &
  Record<"visitors" | "visits" | "pageviews" | "events", number>;

/** The metrics that a set of totals comes to. A ratio without a denominator is null, never 0. */
export function metricsOf(totals: Totals): Metrics {
  const { visits, pageviews } = totals;
  return {
    visitors: totals.visitors,
    visits,
    pageviews,
    events: totals.events,
    views_per_visit: visits ? pageviews / visits : null,
    bounce_rate: visits ? totals.bounces / visits : null,
    visit_duration: visits ? totals.durationMs / 1000 / visits : null,
    time_on_page: totals.engaged && pageviews ? totals.engagementMs / 1000 / pageviews : null,
  };
}
