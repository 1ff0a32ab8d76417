import type { Metric } from "@/lib/contract/vocabulary";

/** Sums that may be added up over values, buckets and days. Every metric is made of them. */
export interface Sums {
  visitors: number;
  visits: number;
  bounces: number;
  durationMs: number;
  pageviews: number;
  events: number;
  engagementMs: number;
  engaged: number;
  /** Percent, added up over the pages of visits that told how far they were scrolled; and how many those are. */
  scroll: number;
  scrolled: number;
}

export const NOTHING: Sums = {
  visitors: 0,
  visits: 0,
  bounces: 0,
  durationMs: 0,
  pageviews: 0,
  events: 0,
  engagementMs: 0,
  engaged: 0,
  scroll: 0,
  scrolled: 0,
};

export function add(a: Sums, b: Sums): Sums {
  const keys = Object.keys(NOTHING) as (keyof Sums)[];
  return Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) as unknown as Sums;
}

export type Metrics = Record<Metric, number | null> & Record<"visitors" | "visits" | "pageviews" | "events", number>;

/** The metrics that a set of sums comes to. A ratio without a denominator is null, never 0. */
export function metricsOf(sums: Sums): Metrics {
  const { visits, pageviews } = sums;
  return {
    visitors: sums.visitors,
    visits,
    pageviews,
    events: sums.events,
    views_per_visit: visits ? pageviews / visits : null,
    bounce_rate: visits ? sums.bounces / visits : null,
    visit_duration: visits ? sums.durationMs / 1000 / visits : null,
    time_on_page: sums.engaged && pageviews ? sums.engagementMs / 1000 / pageviews : null,
    scroll_depth: sums.scrolled ? sums.scroll / 100 / sums.scrolled : null,
  };
}
