import { z } from "zod";
import { type BreakdownKey, isOfEvents } from "@/lib/analytics/query/dimensions";
import type { Part } from "@/lib/analytics/query/sums-sql";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

/** Metrics, the sums that they are made of, and how operations answer them; `METRICS` has their definitions. */

export const metricKeys = Object.keys(METRICS) as [Metric, ...Metric[]];

/**
 * The sums, in the order in which all parts of a union in SQL have them. Imported visits may have unknown bounces, durations or
 * page views; so each ratio has a denominator of its own, of what is known.
 */
export const SUMS = [
  "visitors",
  "visits",
  "bounces",
  "bounceVisits",
  "durationMs",
  "durationVisits",
  // Page views of visits whose page views are known, and those visits.
  "visitViews",
  "viewVisits",
  // Imported rows without visits, without page views, and without events.
  "visitsMissing",
  "viewsMissing",
  "eventsMissing",
  "pageviews",
  "events",
  "engagementMs",
  "engaged",
  // Page views that could report engagement: not those of imported days.
  "engageable",
  // Percent, added up over the pages of visits that reported how far they were scrolled; and how many those are.
  "scroll",
  "scrolled",
] as const;
export type Sum = (typeof SUMS)[number];

/** Sums that may be added up over values, buckets and days. */
export type Sums = Record<Sum, number>;

const eachSum = (sum: (key: keyof Sums) => number) => Object.fromEntries(SUMS.map((key) => [key, sum(key)])) as Sums;

export const NOTHING = eachSum(() => 0);

export const add = (a: Sums, b: Sums): Sums => eachSum((key) => a[key] + b[key]);

export type Metrics = Record<Metric, number | null> & Record<"visitors" | "visits", number>;

/** Counts: null where nothing is known but imported rows that lack it. Totals always have visits. */
type Counted = "visits" | "pageviews" | "events" | "visitsMissing" | "viewsMissing" | "eventsMissing";
export const knownCounts = (sums: Pick<Sums, Counted>) => ({
  visits: sums.visits || !sums.visitsMissing ? sums.visits : null,
  pageviews: sums.pageviews || !sums.viewsMissing ? sums.pageviews : null,
  events: sums.events || !sums.eventsMissing ? sums.events : null,
});

/** The metrics of a set of sums. A ratio without a denominator is null, never 0. */
export function metricsOf(sums: Sums): Metrics {
  const { visitors, visits } = sums;
  const { pageviews, events } = knownCounts(sums);
  return {
    visitors,
    visits,
    pageviews,
    events,
    views_per_visit: sums.viewVisits ? sums.visitViews / sums.viewVisits : null,
    bounce_rate: sums.bounceVisits ? sums.bounces / sums.bounceVisits : null,
    visit_duration: sums.durationVisits ? sums.durationMs / 1000 / sums.durationVisits : null,
    time_on_page: sums.engaged && sums.engageable ? sums.engagementMs / 1000 / sums.engageable : null,
    scroll_depth: sums.scrolled ? sums.scroll / 100 / sums.scrolled : null,
  };
}

/** The relative change of each number; null where it was 0 or is unknown. */
export function changeOf<Key extends string>(
  now: Readonly<Partial<Record<Key, number | null>>>,
  before: Readonly<Partial<Record<Key, number | null>>>,
): Record<Key, number | null> {
  const changes = (Object.keys(now) as Key[]).map((key) => {
    const [a = null, b = null] = [now[key], before[key]];
    return [key, a === null || !b ? null : (a - b) / b];
  });
  return Object.fromEntries(changes) as Record<Key, number | null>;
}

/** How a metric is computed in SQL. */
interface MetricSource {
  parts: readonly Part[];
  /** Over the columns of sums; null without a denominator. */
  sql: string;
  /** Of whole visits: it says nothing about a page or an event within them. */
  wholeVisits?: true;
}

/** As `knownCounts`. */
function ifKnown(sum: Sum, missing: Sum): string {
  const counted = `coalesce(sum(${sum}), 0)`;
  return `CASE WHEN ${counted} > 0 OR coalesce(sum("${missing}"), 0) = 0 THEN ${counted} END`;
}

export const METRIC_SOURCES: Readonly<Record<Metric, MetricSource>> = {
  visitors: { parts: ["visitors"], sql: "coalesce(sum(visitors), 0)" },
  visits: { parts: ["visits"], sql: ifKnown("visits", "visitsMissing") },
  pageviews: { parts: ["counts"], sql: ifKnown("pageviews", "viewsMissing") },
  events: { parts: ["counts"], sql: ifKnown("events", "eventsMissing") },
  views_per_visit: {
    parts: ["visits", "counts"],
    sql: 'sum("visitViews")::DOUBLE / nullif(sum("viewVisits"), 0)',
    wholeVisits: true,
  },
  bounce_rate: {
    parts: ["visits"],
    sql: 'sum(bounces)::DOUBLE / nullif(sum("bounceVisits"), 0)',
    wholeVisits: true,
  },
  visit_duration: {
    parts: ["visits"],
    sql: 'sum("durationMs")::DOUBLE / nullif(sum("durationVisits"), 0)',
    wholeVisits: true,
  },
  time_on_page: {
    parts: ["events"],
    sql: 'CASE WHEN sum(engaged) > 0 THEN sum("engagementMs")::DOUBLE / nullif(sum(engageable), 0) END',
  },
  scroll_depth: { parts: ["scrolls"], sql: "sum(scroll)::DOUBLE / nullif(sum(scrolled), 0)" },
};

/** Why a metric cannot be reported by a dimension, as a sentence; null when it can. */
export function mismatchOf(metric: Metric, key: BreakdownKey): string | null {
  if (!METRIC_SOURCES[metric].wholeVisits || !isOfEvents(key)) return null;
  return `${metric} is about whole visits and ${key} about one event; ask for it by entry_page or another dimension of visits`;
}

/** Numbers for examples that fit each other: those of a range, and those of the range to compare with. */
const EXAMPLES: Record<Metric, [now: number, before: number]> = {
  visitors: [128, 114],
  visits: [161, 146],
  pageviews: [402, 371],
  events: [37, 31],
  views_per_visit: [2.5, 2.54],
  bounce_rate: [0.41, 0.43],
  visit_duration: [94.2, 91.5],
  time_on_page: [38.5, 37.1],
  scroll_depth: [0.62, 0.61],
};
const examplesOf = (of: (metric: Metric) => number) =>
  Object.fromEntries(metricKeys.map((key) => [key, of(key)])) as Record<Metric, number>;

const described = (metric: Metric) => ({ description: METRICS[metric].about, examples: [EXAMPLES[metric][0]] });
export const count = (metric: Metric) => z.int().meta(described(metric));
/** Which an import may lack. */
export const countIfKnown = (metric: Metric) =>
  z
    .int()
    .nullable()
    .meta({
      description: `${METRICS[metric].about} Null where only an import has data, which lacks this count.`,
      examples: [EXAMPLES[metric][0]],
    });
export const ratio = (metric: Metric) => z.number().nullable().meta(described(metric));

export const metricsShape = z.object({
  visitors: count("visitors"),
  visits: count("visits"),
  pageviews: countIfKnown("pageviews"),
  events: countIfKnown("events"),
  views_per_visit: ratio("views_per_visit"),
  bounce_rate: ratio("bounce_rate"),
  visit_duration: ratio("visit_duration"),
  time_on_page: ratio("time_on_page"),
  scroll_depth: ratio("scroll_depth"),
});

const CHANGE = "Relative change against the comparison, 0.1 = 10 % more; null when it was 0 or unknown";
const changes = metricKeys.map((key) => [key, z.number().nullable()]);

export const changeShape = z.object(Object.fromEntries(changes) as Record<Metric, z.ZodNullable<z.ZodNumber>>).meta({
  description: CHANGE,
  examples: [examplesOf((key) => Math.round((EXAMPLES[key][0] / EXAMPLES[key][1] - 1) * 100) / 100)],
});

/** Metrics of a comparison, from which `changeShape` is the change in its example. */
export const previousShape = metricsShape.nullable().meta({ examples: [examplesOf((key) => EXAMPLES[key][1])] });

/** Buckets have no scroll depth, and neither have their totals. */
export const metricsOfBuckets = metricsShape.omit({ scroll_depth: true });
export const changeOfBuckets = changeShape.omit({ scroll_depth: true }).meta({ description: CHANGE });
