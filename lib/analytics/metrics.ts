import { type DimensionKey, dimensionOf } from "@/lib/analytics/dimensions";
import type { Part } from "@/lib/analytics/partials";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";
import { Prisma } from "@/lib/db";

/** How a metric is got from the facts; what it means stands with its name in `METRICS`. */
interface MetricSource {
  parts: readonly Part[];
  /** The metric of a row, over the columns of sums; null without a denominator. */
  sql: Prisma.Sql;
  /** Of whole visits: it says nothing about a page or an event within them. */
  wholeVisits?: true;
}

export const METRIC_SOURCES: Readonly<Record<Metric, MetricSource>> = {
  visitors: { parts: ["visits"], sql: Prisma.sql`sum(visitors)` },
  visits: { parts: ["visits"], sql: Prisma.sql`sum(visits)` },
  pageviews: { parts: ["events"], sql: Prisma.sql`sum(pageviews)` },
  events: { parts: ["events"], sql: Prisma.sql`sum(events)` },
  views_per_visit: {
    parts: ["visits", "events"],
    sql: Prisma.sql`sum(pageviews)::float8 / nullif(sum(visits), 0)`,
    wholeVisits: true,
  },
  bounce_rate: { parts: ["visits"], sql: Prisma.sql`sum(bounces)::float8 / nullif(sum(visits), 0)`, wholeVisits: true },
  visit_duration: {
    parts: ["visits"],
    sql: Prisma.sql`sum("durationMs")::float8 / nullif(sum(visits), 0)`,
    wholeVisits: true,
  },
  time_on_page: {
    parts: ["events"],
    sql: Prisma.sql`CASE WHEN sum(engaged) > 0 THEN sum("engagementMs")::float8 / nullif(sum(pageviews), 0) END`,
  },
  scroll_depth: { parts: ["scrolls"], sql: Prisma.sql`sum(scroll)::float8 / nullif(sum(scrolled), 0)` },
};

/** Why a metric cannot be told by a dimension, as a sentence; null when it can. */
export function mismatchOf(metric: Metric, key: DimensionKey): string | null {
  if (!METRIC_SOURCES[metric].wholeVisits || dimensionOf(key).level === "visit") return null;
  return `${metric} is about whole visits and ${key} about one event; ask for it by entry_page or another dimension of visits`;
}

export const metricKeys = Object.keys(METRICS) as [Metric, ...Metric[]];
