import { dayNumbers } from "@/lib/analytics/buckets";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, ROLLED } from "@/lib/analytics/dimensions";
import { empty, join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { idOf, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { ofTypes } from "@/lib/analytics/query/filters";
import { eventsIn, query, type Scope, visitsIn, wholeVisits } from "@/lib/analytics/query/scope";
import { NOTHING, type Sums } from "@/lib/analytics/sums";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { startOfDay } from "@/lib/time";

/** Sums of visits and events by dimensions. */

/** Which sums are asked for: those of visits, of events, or how far pages were scrolled. */
export type Part = "visits" | "events" | "scrolls";

/** SQL for what makes a visit a bounce. */
export const BOUNCED = sql`(fact.pageviews < 2 AND fact.interactions = 0)`;

const { pageview, screen, event, commerce, engagement } = EVENT_TYPES;

export const EVENT_SUMS = sql`
  count(*) FILTER (WHERE fact.type IN (${pageview}, ${screen})) AS pageviews,
  count(*) FILTER (WHERE fact.type IN (${event}, ${commerce})) AS events,
  coalesce(sum(fact.engagement_ms), 0) AS "engagementMs",
  count(*) FILTER (WHERE fact.type = ${engagement}) AS engaged`;
const NO_EVENTS = sql`0 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged`;
const ADDED_EVENTS = sql`
  sum(pageviews) AS pageviews, sum(events) AS events, sum("engagementMs") AS "engagementMs", sum(engaged) AS engaged`;
const NO_SCROLLS = sql`0 AS scroll, 0 AS scrolled`;

/** The columns of keys. */
export const KEYS = [raw("k0"), raw("k1"), raw("k2")];
const WORDS = [raw("w0"), raw("w1"), raw("w2")];

/**
 * SQL for rows of partial sums `k0, k1, … visitors, visits, …`, to be added up by their keys. By a dimension of events, a
 * visit counts on each local day on which it has such an event.
 */
export function partialSums(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Sql {
  const asked = { scope, by };
  const rows = by.some((key) => dimensionOf(key).level === "event")
    ? ofEvents(asked, parts)
    : parts.map((part) => ({ visits: visitsBy, events: eventsBy, scrolls: scrollsBy })[part](asked));
  return join([...rows, ...importedBy(asked)], " UNION ALL ");
}

/** By a dimension of events, their sums are got with their visits, unless these are told by other types of events. */
function ofEvents(asked: Grouped, parts: readonly Part[]): Sql[] {
  const [visits, events] = [parts.includes("visits"), parts.includes("events")];
  const together = visits && events && !asked.by.includes("event");
  return [
    ...(visits ? [visitsByEvents(asked, together)] : []),
    ...(events && !together ? [eventsBy(asked)] : []),
    ...(parts.includes("scrolls") ? [scrollsBy(asked)] : []),
  ];
}

interface Grouped {
  scope: Scope;
  by: readonly DimensionKey[];
}

const list = (parts: readonly Sql[]): Sql => (parts.length > 0 ? join([...parts], "") : empty);
/** `k0, k1 …`, each followed by a comma. */
const keysOf = (by: readonly DimensionKey[]) => list(by.map((_, index) => sql`${KEYS[index]}, `));
/** The joined words under these names, and each again to group by. */
const named = (by: readonly DimensionKey[]) =>
  list(by.map((_, index) => sql`${WORDS[index]}.value AS ${KEYS[index]}, `));
const grouped = (by: readonly DimensionKey[]) =>
  by.length > 0 ? sql`GROUP BY ${join(by.map((_, index) => KEYS[index] as Sql))}` : empty;

function dictionaries({ by }: Grouped, from: "visit" | "event"): Sql {
  return list(
    by.map((key, index) => {
      const id = from === "event" && ONLY_ON_VISITS.has(key) ? sql`whole.${raw(key)}` : idOf(key);
      const alias = WORDS[index];
      return sql`LEFT JOIN (SELECT id, nullif(word, '') AS value FROM ${wordsOf(key)} AS words) AS ${alias} ON ${alias}.id = ${id} `;
    }),
  );
}

function visitsBy(asked: Grouped): Sql {
  const { scope, by } = asked;
  return sql`
    SELECT ${keysOf(by)}count(*) AS visitors, sum(visits) AS visits, sum(bounces) AS bounces, sum(duration) AS "durationMs",
           ${NO_EVENTS}, ${NO_SCROLLS} FROM (
      SELECT ${named(by)}fact.day, fact.visitor_id, count(*) AS visits, count(*) FILTER (WHERE ${BOUNCED}) AS bounces,
             sum(fact.duration_ms) AS duration
      FROM visit AS fact ${dictionaries(asked, "visit")}
      WHERE ${visitsIn(scope)} ${withPages(by)}
      GROUP BY ALL) AS visitors ${grouped(by)}`;
}

/** Visits in which no page was seen have no entry and no exit page. */
const withPages = (by: readonly DimensionKey[]): Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? sql`AND fact.pageviews > 0` : empty;

/** @param together with the sums of events. */
function visitsByEvents(asked: Grouped, together: boolean): Sql {
  const { by } = asked;
  const seen = together ? empty : sql`AND ${ofTypes(typesOf(by))}`;
  const sums = together ? EVENT_SUMS : sql`1 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged`;
  const added = together ? ADDED_EVENTS : NO_EVENTS;
  return sql`
    SELECT ${keysOf(by)}count(visitor_id) FILTER (WHERE visits > 0) AS visitors, sum(visits) AS visits, 0 AS bounces,
           0 AS "durationMs", ${added}, ${NO_SCROLLS} FROM (
      SELECT ${keysOf(by)}day, visitor_id, count(visitor_id) FILTER (WHERE pageviews > 0) AS visits, ${added} FROM (
        SELECT ${named(by)}fact.day, fact.visitor_id, fact.visit_id, ${sums} FROM ${factsBy(asked)} ${seen}
        GROUP BY ${keysOf(by)}fact.day, fact.visitor_id, fact.visit_id) AS seen
      GROUP BY ${keysOf(by)}day, visitor_id) AS visitors ${grouped(by)}`;
}

function eventsBy(asked: Grouped): Sql {
  const { by } = asked;
  const onlyNamed = by.includes("event") ? sql`AND ${ofTypes(typesOf(by))}` : empty;
  return sql`
    SELECT ${named(by)}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${EVENT_SUMS}, ${NO_SCROLLS}
    FROM ${factsBy(asked)} ${onlyNamed} ${grouped(by)}`;
}

function scrollsBy(asked: Grouped): Sql {
  const { by } = asked;
  return sql`
    SELECT ${keysOf(by)}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${NO_EVENTS},
           sum(furthest) AS scroll, count(*) AS scrolled FROM (
      SELECT ${named(by)}max(fact.scroll) AS furthest
      FROM ${factsBy(asked)} AND fact.type = ${engagement} AND fact.scroll IS NOT NULL
      GROUP BY ${keysOf(by)}fact.visit_id, fact.page, fact.day) AS pages ${grouped(by)}`;
}

/** The events of a scope with the words of these dimensions, and with their visits where only these know. */
function factsBy(asked: Grouped): Sql {
  const { scope, by } = asked;
  const whole = by.some((key) => ONLY_ON_VISITS.has(key))
    ? sql`JOIN ${wholeVisits(scope)} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : empty;
  return sql`event AS fact ${whole} ${dictionaries(asked, "event")} WHERE ${eventsIn(scope)}`;
}

/** The types of events that have a value of these dimensions. What is named may have a page too; a page has no name. */
const typesOf = (by: readonly DimensionKey[]): readonly number[] => (by.includes("event") ? NAMED_EVENTS : VIEWS);

/** What another service counted, on whole days of the scope that have no facts of their own; by one dimension at most. */
function importedBy({ scope, by }: Grouped): Sql[] {
  const [key] = by;
  const dimension = key === undefined ? 0 : ROLLED[key];
  if (!scope.imported || by.length > 1 || dimension === undefined) return [];
  const word = key === undefined ? empty : sql`nullif(word, '') AS k0, `;
  return [
    sql`
    SELECT ${word}visitors, visits, bounces, duration_ms, pageviews, events, 0, 0, 0, 0 FROM imported
    WHERE dimension = ${dimension} AND ${importedDay(scope)}`,
  ];
}

/** That a row of `imported` is of a whole day of the scope on which there are no facts. */
export const importedDay = (scope: Scope): Sql => sql`
  imported.day IN (SELECT unnest(${wholeDays(scope)}::INTEGER[]))
  AND imported.day NOT IN (SELECT day FROM event UNION SELECT day FROM visit)`;

/** The local days that lie in the scope from their beginning to their end, as numbers of days since 1970-01-01. */
function wholeDays({ days, range }: Scope): number[] {
  const { from, to, timezone, start, end } = range;
  const numbers = dayNumbers(days, timezone);
  const first = startOfDay(from, timezone) >= start ? 0 : 1;
  const last = startOfDay(to.add({ days: 1 }), timezone) <= end ? numbers.length : numbers.length - 1;
  return numbers.slice(first, last);
}

export const ADDED_UP = sql`
  coalesce(sum(visitors), 0)::BIGINT AS visitors, coalesce(sum(visits), 0)::BIGINT AS visits,
  coalesce(sum(bounces), 0)::BIGINT AS bounces, coalesce(sum("durationMs"), 0)::DOUBLE AS "durationMs",
  coalesce(sum(pageviews), 0)::BIGINT AS pageviews, coalesce(sum(events), 0)::BIGINT AS events,
  coalesce(sum("engagementMs"), 0)::DOUBLE AS "engagementMs", coalesce(sum(engaged), 0)::BIGINT AS engaged,
  coalesce(sum(scroll), 0)::DOUBLE AS scroll, coalesce(sum(scrolled), 0)::BIGINT AS scrolled`;

/** The sums of a whole scope. */
export async function sumsOf(scope: Scope, parts: readonly Part[] = ["visits", "events", "scrolls"]): Promise<Sums> {
  const [rows] = await query<[Sums[]]>(
    scope,
    sql`SELECT ${ADDED_UP} FROM (${partialSums(scope, [], parts)}) AS partial`,
  );
  return rows[0] ?? NOTHING;
}
