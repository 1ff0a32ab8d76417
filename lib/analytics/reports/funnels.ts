import { bucketLabel, bucketStarts, naturalInterval } from "@/lib/analytics/calendar/buckets";
import { rounded } from "@/lib/analytics/money/amounts";
import { converted, type Rates, ratesFor, ratesTable } from "@/lib/analytics/money/rates";
import { AMOUNT } from "@/lib/analytics/query/commerce-events";
import { dimensionId, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { NAMED_EVENTS, TYPES_OF_KIND, VIEWS } from "@/lib/analytics/query/event-types";
import { reaching } from "@/lib/analytics/query/filters";
import {
  extended,
  type FunnelQuery,
  funnelPathTables,
  reached,
  reachesStep,
  stepEvents,
} from "@/lib/analytics/query/funnel-paths";
import { bucketsTable, otherEventsOfVisits, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { type Funnel, stepName } from "@/lib/contract/funnel-steps";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";

/** How far visitors get through a funnel, how long its steps take, what they earn, and where the others go. */

/** The query for paths through a funnel. */
export const funnelQuery = (scope: Scope, { steps, windowMinutes }: Funnel): FunnelQuery => ({
  scope,
  conditions: steps.map(reaching),
  types: [...new Set(steps.flatMap(({ kind }) => TYPES_OF_KIND[kind]))],
  windowMinutes,
});

/** @param furthest how many visitors got exactly as far as each step. */
function stepsOf({ steps }: Funnel, furthest: readonly number[]) {
  const visitors = steps.map((_, index) => furthest.slice(index).reduce((sum, count) => sum + count, 0));
  const [entered = 0, converted = 0] = [visitors[0], visitors.at(-1)];
  const rows = steps.map((step, index) => {
    const [here, before] = [visitors[index] ?? 0, index > 0 ? (visitors[index - 1] ?? 0) : null];
    return {
      name: stepName(step),
      kind: step.kind,
      pattern: step.pattern,
      visitors: here,
      conversion_from_first: shareOfWhole(here, entered),
      conversion_from_previous: before === null ? null : shareOfWhole(here, before),
      drop_off: before === null ? 0 : before - here,
      drop_off_rate: before === null ? null : shareOfWhole(before - here, before),
    };
  });
  return { entered, converted, conversion_rate: shareOfWhole(converted, entered), steps: rows };
}

const shareOfWhole = (part: number, whole: number): number | null => (whole ? part / whole : null);

/** How far the visitors of a scope got. */
export const progressOf = async (scope: Scope, funnel: Funnel) =>
  stepsOf(funnel, await reached(funnelQuery(scope, funnel)));

export const DESTINATIONS = 5;
export const BREAKDOWN_VALUES = 10;

/** A value of a dimension, and the visitors who reached each step. */
interface ValueRow {
  value: string | null;
  visitors: number[];
}
type Quantiles = [number, number, number];
type Found = [
  furthest: { level: number; visitors: number }[],
  times: { step: number; previous: Quantiles; first: Quantiles }[],
  money: { step: number; amount: string | null }[],
  trend: { bucket: number; entered: number; converted: number }[],
  next: { level: number; kind: "page" | "event" | "exit"; value: string | null; visitors: number }[],
  sources: ValueRow[],
  devices: ValueRow[],
  countries: ValueRow[],
];

/** How the visitors of a scope went through a funnel. */
export async function detailsOf(scope: Scope, funnel: Funnel) {
  const interval = naturalInterval(scope.range);
  const starts = bucketStarts(scope.range, interval);
  const [furthest, times, money, trend, next, sources, devices, countries] = await find(scope, funnel, starts);
  const visitors = new Map(furthest.map((one) => [one.level, one.visitors]));
  const progress = stepsOf(
    funnel,
    funnel.steps.map((_, index) => visitors.get(index + 1) ?? 0),
  );
  const buckets = new Map(trend.map((bucket) => [bucket.bucket, bucket]));
  return {
    ...progress,
    steps: progress.steps.map((step, index) => {
      const { previous, first } = times.find((one) => one.step === index + 1) ?? {};
      const amount = money.find((one) => one.step === index + 1)?.amount ?? null;
      return {
        ...step,
        seconds_from_previous: quantilesOf(previous),
        seconds_from_first: quantilesOf(first),
        revenue: { amount: rounded(amount, scope.currency), currency: scope.currency },
        left_to: next.flatMap(({ level, ...left }) => (level === index + 1 ? [left] : [])),
      };
    }),
    trend: starts.map((start, index) => ({
      start: start.toISOString(),
      label: bucketLabel(start, scope.range.timezone, interval),
      entered: buckets.get(index)?.entered ?? 0,
      converted: buckets.get(index)?.converted ?? 0,
    })),
    sources,
    devices,
    countries,
  };
}

const quantilesOf = (found: Quantiles | undefined) => {
  const [p50 = null, p75 = null, p90 = null] = found ?? [];
  return { p50, p75, p90 };
};

async function find(scope: Scope, funnel: Funnel, starts: Date[]): Promise<Found> {
  const funnelPaths = funnelQuery(scope, funnel);
  const reach = extended(scope, funnel.windowMinutes);
  const tables = tablesOf(funnelPaths, reach);
  const answers = await queryCopy(
    scope,
    ...tables,
    sql`SELECT level, count(*) AS visitors FROM path GROUP BY 1`,
    TIMES,
    moneySql(scope, await ratesFor(reach)),
    trendSql(scope, funnel, starts),
    leftToSql(funnel),
    ...(["source", "device", "country"] as const).map((key) => panelSql(key, funnel)),
  );
  return answers.slice(tables.length) as unknown as Found;
}

/**
 * Statements that make the tables `step_events`, `path` (number, visitor_id, day, times, level: how many steps were
 * taken), `visited` (number, level, left_at, referrer, agent, place, last: the visit of the last step) and `followed`.
 */
const tablesOf = (funnelPaths: FunnelQuery, reach: Scope): Sql[] => [
  sql`CREATE TEMP TABLE step_events AS
    ${stepEvents(funnelPaths, sql`, fact.referrer, fact.agent, fact.place, fact.revenue, fact.currency`)}`,
  sql`CREATE TEMP TABLE path AS
    WITH ${funnelPathTables(funnelPaths)}
    SELECT row_number() OVER () AS number, visitor_id, day, coalesce(times, [first]) AS times,
           coalesce(len(times), 1) AS level
    FROM starts LEFT JOIN funnel_paths USING (visitor_id, day)`,
  sql`CREATE TEMP TABLE visited AS
    SELECT number, level, left_at, first[2] AS referrer, first[3] AS agent, first[4] AS place, last FROM (
      SELECT number, any_value(level) AS level, any_value(times[level]) AS left_at, min([visit_id, referrer, agent, place]) AS first
      FROM path JOIN step_events ON path.visitor_id = step_events.visitor_id AND ts = times[1]
      WHERE ${reachesStep(0)} GROUP BY number)
    JOIN (
      SELECT number, min(visit_id) AS last
      FROM path JOIN step_events ON path.visitor_id = step_events.visitor_id AND ts = times[level]
      WHERE ${reachesStepIn(sql`level`)} GROUP BY number) USING (number)`,
  followedTable(funnelPaths, reach),
];

/** SQL for whether a row of `step_events` reaches a step, counted from 1, that a column holds. */
const reachesStepIn = (step: Sql): Sql => sql`((mask >> (${step} - 1)::INTEGER) & 1) <> 0`;

const QUANTILES = sql`[0.5, 0.75, 0.9]`;
/**
 * SQL for quantiles in seconds of the times between two moments. They are found among whole milliseconds, of which the
 * quarters are exact; the microseconds of events only keep them in order.
 */
const durationQuantiles = (start: Sql, end: Sql): Sql => sql`list_transform(
  quantile_cont(round((epoch_us(${end}) - epoch_us(${start}))::DOUBLE / 1000), ${QUANTILES}), lambda one: one / 1000)`;

const TIMES = sql`
  SELECT step, ${durationQuantiles(sql`times[step - 1]`, sql`times[step]`)} AS previous,
    ${durationQuantiles(sql`times[1]`, sql`times[step]`)} AS first
  FROM (SELECT times, unnest(range(2, level + 1)) AS step FROM path WHERE level > 1) GROUP BY 1`;

/** SQL for the revenue of the events by which each step was taken. */
const moneySql = (scope: Scope, rates: Rates): Sql => sql`
  SELECT step, sum(${converted(sql`amount`, sql`earned.currency`, scope)})::VARCHAR AS amount FROM (
    SELECT step, currency, paid.day, sum(revenue::${AMOUNT}) AS amount
    FROM (SELECT visitor_id, unnest(times) AS ts, unnest(range(1, level + 1)) AS step FROM path) AS taken
    JOIN (SELECT * FROM step_events WHERE revenue IS NOT NULL) AS paid USING (visitor_id, ts)
    WHERE ${reachesStepIn(sql`step`)} GROUP BY ALL) AS earned
  LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = earned.currency AND rate.day = earned.day GROUP BY step`;

const trendSql = (scope: Scope, { steps }: Funnel, starts: Date[]): Sql => sql`
  SELECT buckets.number AS bucket, count(*) AS entered, count(*) FILTER (WHERE level = ${steps.length}) AS converted
  FROM path ASOF JOIN ${bucketsTable(scope, starts)} AS buckets ON path.times[1] >= buckets.start GROUP BY 1`;

/** SQL for the most frequent values of a dimension among those who entered, with how many of them reached each step. */
const panelSql = (key: DimensionKey, { steps }: Funnel): Sql => {
  const reached = steps.map((_, index) => sql`count(*) FILTER (WHERE fact.level > ${raw(String(index))})`);
  return sql`
    SELECT nullif(word, '') AS value, [${join(reached)}] AS visitors
    FROM visited AS fact LEFT JOIN ${wordsOf(key)} AS words ON words.id = ${dimensionId(key)}
    GROUP BY 1 ORDER BY count(*) DESC, 1 NULLS LAST LIMIT ${BREAKDOWN_VALUES}`;
};

/**
 * A statement that makes the table `followed` (number, next): what visitors who got no further did next within the
 * visit of their last step, as a list of its time, 1 for a page or 2 for an event, and its id. The same step again is
 * skipped.
 */
function followedTable({ conditions }: FunnelQuery, reach: Scope): Sql {
  const again = conditions.map((condition, index) => sql`WHEN ${raw(String(index + 1))} THEN ${condition}`);
  const seen = ofTypes(VIEWS);
  return sql`CREATE TEMP TABLE followed AS
    SELECT visited.number, min([epoch_us(fact.ts), CASE WHEN ${seen} THEN 1 ELSE 2 END,
      CASE WHEN ${seen} THEN fact.page ELSE fact.name END]) AS next
    FROM visited JOIN event AS fact ON fact.visit_id = visited.last AND fact.ts > visited.left_at
    WHERE level < ${conditions.length} AND ${otherEventsOfVisits(reach)} AND ${ofTypes([...VIEWS, ...NAMED_EVENTS])}
      AND NOT CASE level ${join(again, " ")} END
    GROUP BY 1`;
}

/** SQL for the most frequent of these, and the visits that ended. */
const leftToSql = ({ steps }: Funnel): Sql => sql`
  SELECT level, kind, value, visitors FROM (
    SELECT level, CASE next[2] WHEN 1 THEN 'page' WHEN 2 THEN 'event' ELSE 'exit' END AS kind,
           nullif(CASE next[2] WHEN 1 THEN page.path WHEN 2 THEN name.name END, '') AS value, count(*) AS visitors
    FROM visited LEFT JOIN followed USING (number)
    LEFT JOIN page ON page.id = CASE next[2] WHEN 1 THEN next[3] END
    LEFT JOIN name ON name.id = CASE next[2] WHEN 2 THEN next[3] END
    WHERE level < ${steps.length} GROUP BY ALL)
  QUALIFY row_number() OVER (
    PARTITION BY level, kind = 'exit' ORDER BY visitors DESC, kind, value NULLS LAST) <= ${DESTINATIONS}
  ORDER BY level, visitors DESC, kind, value NULLS LAST`;
