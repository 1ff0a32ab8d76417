import { noMoney, rounded } from "@/lib/analytics/money/amounts";
import { type Rates, ratesFor } from "@/lib/analytics/money/rates";
import { revenueBy, salesTable, unconvertedOf, unconvertedSql } from "@/lib/analytics/money/sales";
import { conditionsMet, goalEvents } from "@/lib/analytics/query/conversions";
import { dimensionId, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, ROLLED } from "@/lib/analytics/query/dimensions";
import { NAMED_EVENTS } from "@/lib/analytics/query/event-types";
import { reaching } from "@/lib/analytics/query/filters";
import type { Goal } from "@/lib/analytics/query/goals";
import { bucketsTable, eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { importedDay } from "@/lib/analytics/query/scope-sums";
import { empty, type Sql, sql } from "@/lib/platform/sql";

/** How often named events happened, their revenue, and one of them in detail. */

interface EventCounts {
  count: number;
  visitors: number;
}

export interface EventNumbers extends EventCounts {
  /** Decimal text in the reporting currency. */
  revenue: string;
}

export interface EventRow extends EventNumbers {
  event: string;
}

interface Property extends EventCounts {
  key: string;
  values: (EventCounts & { value: string })[];
  /** There are more values than these. */
  more: boolean;
}

type Value = EventCounts & { value: string | null };

export interface EventDetail extends EventNumbers {
  /** Of each bucket, gap-free. A visitor is one visitor a day, and one an hour where buckets are shorter. */
  series: EventNumbers[];
  properties: Property[];
  pages: Value[];
  sources: Value[];
}

const TOP_VALUES = 10;

/**
 * The names with the most visitors, passive events among them, and the numbers of each goal.
 *
 * @param detail the name of an event to report in detail, and when the buckets of its series begin.
 */
export async function eventsOf(
  scope: Scope,
  goals: readonly Goal[],
  limit: number,
  detail: { name: string; starts: Date[] } | null,
) {
  const rates = await ratesFor(scope);
  const inDetail = detail && {
    named: namesSql(scope, rates, 1, [detail.name]),
    series: seriesSql(scope, rates, reaching({ kind: "event", pattern: detail.name }), detail.starts),
    properties: propertiesSql(scope, detail.name),
    pages: valuesSql(scope, detail.name, "page"),
    sources: valuesSql(scope, detail.name, "source"),
  };
  const [, events, reached, unconverted, named = [], series = [], properties = [], pages = [], sources = []] =
    (await queryCopy(
      scope,
      salesTable(scope, sql`, fact.props`),
      namesSql(scope, rates, limit),
      goalsSql(scope, rates, goals),
      unconvertedSql(scope, rates),
      ...Object.values(inDetail ?? {}),
    )) as unknown as Rows;
  const { currency } = scope;
  return {
    events: events.map((row) => inCurrency(row, currency)),
    goals: eventNumbers(goals.length, reached, currency),
    unconverted: unconvertedOf(unconverted),
    detail: detail && {
      ...inCurrency(named[0] ?? { count: 0, visitors: 0, revenue: null }, currency),
      series: eventNumbers(detail.starts.length, series, currency),
      properties,
      pages,
      sources,
    },
  };
}

type Rows = [
  unknown[],
  Raw<EventRow>[],
  NumbersAt[],
  { currency: string; amount: string }[],
  Raw<EventRow>[]?,
  NumbersAt[]?,
  Property[]?,
  Value[]?,
  Value[]?,
];
/** With an exact sum of money. */
type Raw<Numbers extends EventNumbers> = Omit<Numbers, "revenue"> & { revenue: string | null };
type NumbersAt = Raw<EventNumbers> & { place: number };

const inCurrency = <Numbers extends { revenue: string | null }>(row: Numbers, currency: string) => ({
  ...row,
  revenue: rounded(row.revenue, currency),
});

/** The numbers of places 0 to `length`; those without a row have zeros. */
function eventNumbers(length: number, rows: readonly NumbersAt[], currency: string): EventNumbers[] {
  const known = new Map(rows.map(({ place, ...numbers }) => [place, inCurrency(numbers, currency)]));
  return Array.from({ length }, (_, place) => known.get(place) ?? nothingIn(currency));
}

const nothingIn = (currency: string): EventNumbers => ({ count: 0, visitors: 0, revenue: noMoney(currency) });

/** The numbers of these events alone. */
export async function eventsNamed(scope: Scope, names: readonly string[]): Promise<EventRow[]> {
  if (names.length === 0) return [];
  const rates = await ratesFor(scope);
  const [, rows] = await queryCopy<[unknown[], Raw<EventRow>[]]>(
    scope,
    salesTable(scope),
    namesSql(scope, rates, names.length, names),
  );
  return rows.map((row) => inCurrency(row, scope.currency));
}

/** @param among only these names. */
function namesSql(scope: Scope, rates: Rates, limit: number, among: readonly string[] | null = null): Sql {
  const chosen = among ? sql`AND list_contains(${among}::VARCHAR[], word)` : empty;
  const imported = scope.imported
    ? sql`UNION ALL SELECT NULL, word, events, visitors FROM imported WHERE dimension = ${ROLLED.event} AND ${importedDay(scope)}`
    : empty;
  return sql`
    WITH counted AS (
      SELECT max(id) AS id, word, sum(count)::BIGINT AS count, sum(visitors)::BIGINT AS visitors FROM (
        SELECT words.id, words.word, seen.count, seen.visitors
        FROM (${visitorsBy(scope, sql`fact.name`, ofTypes(NAMED_EVENTS))}) AS seen
        JOIN ${wordsOf("event")} AS words ON words.id = seen.key
        ${imported}) AS part WHERE word <> '' ${chosen} GROUP BY word)
    SELECT word AS event, count, visitors, earned.revenue::VARCHAR AS revenue FROM counted
    LEFT JOIN ${revenueBy(scope, rates, sql`fact.name`, sql`WHERE ${ofTypes(NAMED_EVENTS)}`)} AS earned ON earned.key = counted.id
    ORDER BY visitors DESC, count DESC, word LIMIT ${limit}`;
}

/** SQL for `(key, count, visitors)` of the events of a scope that meet a condition. */
const visitorsBy = (scope: Scope, key: Sql, which: Sql, joined: Sql = empty): Sql => sql`
  SELECT key, sum(count) AS count, count(visitor_id) AS visitors FROM (
    SELECT ${key} AS key, fact.day, fact.visitor_id, count(*) AS count
    FROM event AS fact ${joined} WHERE ${eventsIn(scope)} AND ${which} GROUP BY ALL) AS seen GROUP BY key`;

/** SQL for `(place, count, visitors, revenue)` of events that meet a condition, by a number from joined tables. */
const numbersSql = (scope: Scope, rates: Rates, key: Sql, joined: Sql, which: Sql): Sql => sql`
  SELECT counted.key AS place, count::BIGINT AS count, visitors, earned.revenue::VARCHAR AS revenue
  FROM (${visitorsBy(scope, key, which, joined)}) AS counted
  LEFT JOIN ${revenueBy(scope, rates, key, sql`${joined} WHERE ${which}`)} AS earned ON earned.key = counted.key`;

/** SQL for the numbers of each goal, in one pass over the events that reach any of them. */
function goalsSql(scope: Scope, rates: Rates, goals: readonly Goal[]): Sql {
  if (goals.length === 0) return sql`SELECT 1 WHERE false`;
  const met = sql`JOIN ${goalEvents(goals)} AS met ON met.type = fact.type
    AND met.id = CASE WHEN ${ofTypes(NAMED_EVENTS)} THEN fact.name ELSE fact.page END`;
  return numbersSql(scope, rates, sql`met.goal`, met, conditionsMet(goals));
}

/** SQL for the numbers of each bucket. */
function seriesSql(scope: Scope, rates: Rates, which: Sql, starts: readonly Date[]): Sql {
  const bucketed = sql`ASOF JOIN ${bucketsTable(scope, starts)} AS buckets ON fact.ts >= buckets.start`;
  return numbersSql(scope, rates, sql`buckets.number`, bucketed, which);
}

const MOST_KEYS = 30;
const MOST_VALUES = 10;
/** Characters of a value; what is longer is reported by its beginning. */
const LONGEST_VALUE = 500;

/** SQL for the most frequent properties, each with its most frequent values; nested values are JSON. */
function propertiesSql(scope: Scope, name: string): Sql {
  return sql`
    WITH carried AS (
      SELECT unnest(map_entries(fact.props)) AS pair, fact.day, fact.visitor_id
      FROM event AS fact WHERE ${eventsIn(scope)} AND ${reaching({ kind: "event", pattern: name })}),
    pairs AS MATERIALIZED (
      SELECT pair.key AS key, left(pair.value, ${LONGEST_VALUE}) AS value, day, visitor_id, count(*) AS count
      FROM carried WHERE pair.value IS NOT NULL GROUP BY ALL),
    keys AS (
      SELECT key, sum(count)::BIGINT AS count, count(DISTINCT (day, visitor_id)) FILTER (visitor_id IS NOT NULL) AS visitors
      FROM pairs GROUP BY key ORDER BY 2 DESC, key LIMIT ${MOST_KEYS}),
    ranked AS (
      SELECT key, value, sum(count)::BIGINT AS times, count(visitor_id) AS people,
             row_number() OVER (PARTITION BY key ORDER BY sum(count) DESC, value) AS place
      FROM pairs WHERE key IN (SELECT key FROM keys) GROUP BY key, value)
    SELECT keys.*, count(*) > ${MOST_VALUES} AS more, list(
      {'value': value, 'count': times, 'visitors': people} ORDER BY place) FILTER (place <= ${MOST_VALUES}) AS values
    FROM keys JOIN ranked USING (key) GROUP BY ALL ORDER BY keys.count DESC, key`;
}

/** SQL for the most frequent values of a dimension among the events of a name; null is unknown or none. */
const valuesSql = (scope: Scope, name: string, key: DimensionKey): Sql => sql`
  SELECT key AS value, count::BIGINT AS count, visitors FROM (${visitorsBy(
    scope,
    sql`nullif(words.word, '')`,
    reaching({ kind: "event", pattern: name }),
    sql`LEFT JOIN ${wordsOf(key)} AS words ON words.id = ${dimensionId(key)}`,
  )}) AS seen
  ORDER BY visitors DESC, count DESC, value NULLS LAST LIMIT ${TOP_VALUES}`;
