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
 * Where sums are read: tables and conditions on them. Facts of a file are read by the conditions of a scope; what a report
 * has put into temporary tables needs none.
 */
export interface Source {
  visits: { table: Sql; where: Sql };
  events: { table: Sql; where: Sql };
  /** A table `(id, value)` of the words of a dimension. */
  words(key: DimensionKey): Sql;
  /** Whether the sums of each local day stand by themselves, in a column `on_day` behind those of the keys. */
  byDay?: boolean;
}

/** SQL for the words of a dimension; null is unknown. */
const asText = (key: DimensionKey): Sql => sql`(SELECT id, nullif(word, '') AS value FROM ${wordsOf(key)} AS words)`;

/** The facts of a scope. @param more a condition that both kinds of facts meet besides. */
export const factsOf = (scope: Scope, more: Sql = sql`true`): Source => ({
  visits: { table: sql`visit`, where: sql`${visitsIn(scope)} AND ${more}` },
  events: { table: sql`event`, where: sql`${eventsIn(scope)} AND ${more}` },
  words: asText,
});

/**
 * SQL for rows of partial sums `k0, k1, … visitors, visits, …` of a scope, to be added up by their keys. By a dimension of
 * events, a visit counts on each local day on which it has such an event. Closed days are read from the rollup where it
 * knows them.
 */
export function partialSums(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[], byDay = false): Sql {
  const { facts, rolled } = readingOf(scope, by, parts, byDay);
  const rows = facts.flatMap((source) => partialSumsIn({ ...source, byDay }, by, parts, wholeVisits(scope)));
  return join([...rows, ...rolled, ...importedBy(scope, by, byDay)], " UNION ALL ");
}

/**
 * The facts of a scope that the rollup does not know, gathered once for many questions by one dimension each: SQL that
 * makes temporary tables of them, and SQL for the partial sums by a dimension.
 */
export function gatheredSums(scope: Scope) {
  const { facts } = readingOf(scope, [], ["visits"]);
  const gathered = (rows: (source: Source) => Sql) => join(facts.map(rows), " UNION ALL ");
  const source: Source = {
    visits: { table: sql`chosen`, where: sql`true` },
    events: { table: sql`happened`, where: sql`true` },
    words: asText,
  };
  return {
    tables: [
      sql`CREATE TEMP TABLE chosen AS ${gathered(({ visits }) => sql`SELECT fact.* FROM visit AS fact WHERE ${visits.where}`)}`,
      sql`CREATE TEMP TABLE happened AS ${gathered(
        ({ events }) => sql`
          SELECT fact.day, fact.visitor_id, fact.visit_id, fact.page, fact.name, fact.type, fact.engagement_ms, fact.scroll
          FROM event AS fact WHERE ${events.where}`,
      )}`,
    ],
    sums(by: readonly DimensionKey[], parts: readonly Part[]): Sql {
      const rows = partialSumsIn(source, by, parts, sql`chosen`);
      return join([...rows, ...readingOf(scope, by, parts).rolled, ...importedBy(scope, by, false)], " UNION ALL ");
    },
  };
}

/** The same of one source, as rows of several parts. @param whole SQL for a table of visits that events may belong to. */
export function partialSumsIn(source: Source, by: readonly DimensionKey[], parts: readonly Part[], whole: Sql): Sql[] {
  const grouped = { source, by, whole };
  if (by.some((key) => dimensionOf(key).level === "event")) return ofEvents(grouped, parts);
  return parts.map((part) => ({ visits: visitsBy, events: eventsBy, scrolls: scrollsBy })[part](grouped));
}

/** By a dimension of events, their sums are got with their visits, unless these are told by other types of events. */
function ofEvents(grouped: Grouped, parts: readonly Part[]): Sql[] {
  const [visits, events] = [parts.includes("visits"), parts.includes("events")];
  const together = visits && events && !grouped.by.includes("event");
  return [
    ...(visits ? [visitsByEvents(grouped, together)] : []),
    ...(events && !together ? [eventsBy(grouped)] : []),
    ...(parts.includes("scrolls") ? [scrollsBy(grouped)] : []),
  ];
}

interface Grouped {
  source: Source;
  by: readonly DimensionKey[];
  whole: Sql;
}

const list = (parts: readonly Sql[]): Sql => (parts.length > 0 ? join([...parts], "") : empty);
/** `k0, k1 …`, each followed by a comma. */
const keysOf = ({ by, source }: Grouped) =>
  list([...by.map((_, index) => sql`${KEYS[index]}, `), ...(source.byDay ? [sql`on_day, `] : [])]);
/** The joined words under these names. */
const named = ({ by, source }: Grouped) =>
  list([
    ...by.map((_, index) => sql`${WORDS[index]}.value AS ${KEYS[index]}, `),
    ...(source.byDay ? [sql`fact.day AS on_day, `] : []),
  ]);
function groupedBy({ by, source }: Grouped): Sql {
  const keys = [...by.map((_, index) => KEYS[index] as Sql), ...(source.byDay ? [sql`on_day`] : [])];
  return keys.length > 0 ? sql`GROUP BY ${join(keys)}` : empty;
}

function dictionaries({ by, source }: Grouped, from: "visit" | "event"): Sql {
  return list(
    by.map((key, index) => {
      const id = from === "event" && ONLY_ON_VISITS.has(key) ? sql`whole.${raw(key)}` : idOf(key);
      const alias = WORDS[index];
      return sql`LEFT JOIN ${source.words(key)} AS ${alias} ON ${alias}.id = ${id} `;
    }),
  );
}

function visitsBy(grouped: Grouped): Sql {
  const { source, by } = grouped;
  return sql`
    SELECT ${keysOf(grouped)}count(*) AS visitors, sum(visits) AS visits, sum(bounces) AS bounces, sum(duration) AS "durationMs",
           ${NO_EVENTS}, ${NO_SCROLLS} FROM (
      SELECT ${named(grouped)}fact.day AS local_day, fact.visitor_id, count(*) AS visits,
             count(*) FILTER (WHERE ${BOUNCED}) AS bounces, sum(fact.duration_ms) AS duration
      FROM ${source.visits.table} AS fact ${dictionaries(grouped, "visit")}
      WHERE ${source.visits.where} ${withPages(by)}
      GROUP BY ALL) AS visitors ${groupedBy(grouped)}`;
}

/** Visits in which no page was seen have no entry and no exit page. */
const withPages = (by: readonly DimensionKey[]): Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? sql`AND fact.pageviews > 0` : empty;

/** @param together with the sums of events. */
function visitsByEvents(grouped: Grouped, together: boolean): Sql {
  const { by } = grouped;
  const seen = together ? empty : sql`AND ${ofTypes(typesOf(by))}`;
  const sums = together ? EVENT_SUMS : sql`1 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged`;
  const added = together ? ADDED_EVENTS : NO_EVENTS;
  return sql`
    SELECT ${keysOf(grouped)}count(visitor_id) FILTER (WHERE visits > 0) AS visitors, sum(visits) AS visits, 0 AS bounces,
           0 AS "durationMs", ${added}, ${NO_SCROLLS} FROM (
      SELECT ${keysOf(grouped)}local_day, visitor_id, count(visitor_id) FILTER (WHERE pageviews > 0) AS visits, ${added} FROM (
        SELECT ${named(grouped)}fact.day AS local_day, fact.visitor_id, fact.visit_id, ${sums} FROM ${factsBy(grouped)} ${seen}
        GROUP BY ${keysOf(grouped)}fact.day, fact.visitor_id, fact.visit_id) AS seen
      GROUP BY ${keysOf(grouped)}local_day, visitor_id) AS visitors ${groupedBy(grouped)}`;
}

function eventsBy(grouped: Grouped): Sql {
  const { by } = grouped;
  const onlyNamed = by.includes("event") ? sql`AND ${ofTypes(typesOf(by))}` : empty;
  return sql`
    SELECT ${named(grouped)}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${EVENT_SUMS}, ${NO_SCROLLS}
    FROM ${factsBy(grouped)} ${onlyNamed} ${groupedBy(grouped)}`;
}

function scrollsBy(grouped: Grouped): Sql {
  return sql`
    SELECT ${keysOf(grouped)}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${NO_EVENTS},
           sum(furthest) AS scroll, count(*) AS scrolled FROM (
      SELECT ${named(grouped)}max(fact.scroll) AS furthest
      FROM ${factsBy(grouped)} AND fact.type = ${engagement} AND fact.scroll IS NOT NULL
      GROUP BY ${keysOf(grouped)}fact.visit_id, fact.page, fact.day) AS pages ${groupedBy(grouped)}`;
}

/** The events of a source with the words of these dimensions, and with their visits where only these know. */
function factsBy(grouped: Grouped): Sql {
  const { source, by } = grouped;
  const whole = by.some((key) => ONLY_ON_VISITS.has(key))
    ? sql`JOIN ${grouped.whole} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : empty;
  return sql`${source.events.table} AS fact ${whole} ${dictionaries(grouped, "event")} WHERE ${source.events.where}`;
}

/** The types of events that have a value of these dimensions. What is named may have a page too; a page has no name. */
const typesOf = (by: readonly DimensionKey[]): readonly number[] => (by.includes("event") ? NAMED_EVENTS : VIEWS);

/** What of a scope is read from facts, and SQL for the rows that the rollup has of the rest. */
interface Reading {
  facts: Source[];
  rolled: Sql[];
}

/** Which sums the rollup holds by a dimension; by none it holds all. */
export const rolledParts = (key: DimensionKey | undefined): readonly Part[] => {
  if (key === undefined) return ["visits", "events", "scrolls"];
  return key === "page" ? ["visits", "events"] : ["visits"];
};

/** The rollup knows whole closed days, all visits and those of people, by one dimension at most. */
function readingOf(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[], byDay = false): Reading {
  const { filters, traffic } = scope;
  const narrowed = Object.values(filters).some((conditions) => conditions.length > 0);
  const [first, last] = [wholeDays(scope)[0], wholeDays(scope).at(-1)];
  const dimension = rollupDimension(by);
  const holds = dimension !== undefined && parts.every((part) => rolledParts(by[0]).includes(part));
  const known = holds && !narrowed && (traffic === "all" || traffic === "human");
  if (!known || first === undefined || last === undefined) return { facts: [factsOf(scope)], rolled: [] };
  const keys = sql`${by.length > 0 ? sql`words.value AS k0, ` : empty}${byDay ? sql`rollup.day AS on_day, ` : empty}`;
  const words = by[0] ? sql`LEFT JOIN ${asText(by[0])} AS words ON words.id = rollup.value` : empty;
  const rolled = sql`
    SELECT ${keys}visitors, visits, bounces, duration_ms, pageviews, events, engagement_ms, engaged, scroll, scrolled
    FROM rollup ${words} WHERE rollup.dimension = ${dimension} AND rollup.everything = ${traffic === "all"}
      AND rollup.day BETWEEN ${first} AND ${last}`;
  return { facts: notRolled(scope, first, last), rolled: [rolled] };
}

/** The facts of a scope without closed days from the first to the last. Sums of days add up, so each part is read by itself. */
function notRolled(scope: Scope, first: number, last: number): Source[] {
  const numbers = dayNumbers(scope.days, scope.range.timezone);
  const [start, end] = [
    scope.days[numbers.indexOf(first)] as Date,
    scope.days[numbers.indexOf(last) + 1] ?? scope.range.end,
  ];
  const within = (range: { start: Date; end: Date }) => ({ ...scope, range: { ...scope.range, ...range } });
  const open = factsOf(within({ start, end }), sql`fact.day > (SELECT rolled_until FROM state)`);
  const edges = [
    { start: scope.range.start, end: start },
    { start: end, end: scope.range.end },
  ].filter((edge) => edge.start < edge.end);
  return [open, ...edges.map((edge) => factsOf(within(edge)))];
}

/** The number by which rollup and imported sums know a dimension, 0 for none; undefined for what they do not know. */
function rollupDimension(by: readonly DimensionKey[]): number | undefined {
  const [key] = by;
  if (by.length > 1) return undefined;
  return key === undefined ? 0 : ROLLED[key];
}

/** What another service counted, on whole days of the scope that have no facts of their own; by one dimension at most. */
function importedBy(scope: Scope, by: readonly DimensionKey[], byDay: boolean): Sql[] {
  const [key] = by;
  const dimension = rollupDimension(by);
  if (!scope.imported || dimension === undefined) return [];
  const word = sql`${key === undefined ? empty : sql`nullif(word, '') AS k0, `}${byDay ? sql`day AS on_day, ` : empty}`;
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
