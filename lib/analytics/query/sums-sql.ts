import { type DimensionKey, dimensionOf, ONLY_ON_VISITS } from "@/lib/analytics/dimensions";
import { empty, join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { idOf, ofTypes } from "@/lib/analytics/query/dimension-sql";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";

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

/** Which sums the rollup holds by a dimension; by none it holds all. */
export const rolledParts = (key: DimensionKey | undefined): readonly Part[] => {
  if (key === undefined) return ["visits", "events", "scrolls"];
  return key === "page" ? ["visits", "events"] : ["visits"];
};

export const ADDED_UP = sql`
  coalesce(sum(visitors), 0)::BIGINT AS visitors, coalesce(sum(visits), 0)::BIGINT AS visits,
  coalesce(sum(bounces), 0)::BIGINT AS bounces, coalesce(sum("durationMs"), 0)::DOUBLE AS "durationMs",
  coalesce(sum(pageviews), 0)::BIGINT AS pageviews, coalesce(sum(events), 0)::BIGINT AS events,
  coalesce(sum("engagementMs"), 0)::DOUBLE AS "engagementMs", coalesce(sum(engaged), 0)::BIGINT AS engaged,
  coalesce(sum(scroll), 0)::DOUBLE AS scroll, coalesce(sum(scrolled), 0)::BIGINT AS scrolled`;
