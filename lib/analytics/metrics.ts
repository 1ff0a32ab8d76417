import { type DimensionKey, dimensionOf } from "@/lib/analytics/dimensions";
import type { Part } from "@/lib/analytics/query/sums-sql";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

/** How a metric is got from the facts; what it means stands with its name in `METRICS`. */
interface MetricSource {
  parts: readonly Part[];
  /** SQL for the metric of a row, over the columns of sums; null without a denominator. */
  sql: string;
  /** Of whole visits: it says nothing about a page or an event within them. */
  wholeVisits?: true;
}

export const METRIC_SOURCES: Readonly<Record<Metric, MetricSource>> = {
  visitors: { parts: ["visitors"], sql: "sum(visitors)" },
  visits: { parts: ["visits"], sql: "sum(visits)" },
  pageviews: { parts: ["events"], sql: "sum(pageviews)" },
  events: { parts: ["events"], sql: "sum(events)" },
  views_per_visit: {
    parts: ["visits", "events"],
    sql: "sum(pageviews)::DOUBLE / nullif(sum(visits), 0)",
    wholeVisits: true,
  },
  bounce_rate: { parts: ["visits"], sql: "sum(bounces)::DOUBLE / nullif(sum(visits), 0)", wholeVisits: true },
  visit_duration: {
    parts: ["visits"],
    sql: 'sum("durationMs")::DOUBLE / nullif(sum(visits), 0)',
    wholeVisits: true,
  },
  time_on_page: {
    parts: ["events"],
    sql: 'CASE WHEN sum(engaged) > 0 THEN sum("engagementMs")::DOUBLE / nullif(sum(pageviews), 0) END',
  },
  scroll_depth: { parts: ["scrolls"], sql: "sum(scroll)::DOUBLE / nullif(sum(scrolled), 0)" },
};

/** Why a metric cannot be told by a dimension, as a sentence; null when it can. */
export function mismatchOf(metric: Metric, key: DimensionKey): string | null {
  if (!METRIC_SOURCES[metric].wholeVisits || dimensionOf(key).level === "visit") return null;
  return `${metric} is about whole visits and ${key} about one event; ask for it by entry_page or another dimension of visits`;
}

export const metricKeys = Object.keys(METRICS) as [Metric, ...Metric[]];
