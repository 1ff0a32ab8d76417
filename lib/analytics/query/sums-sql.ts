import { empty, join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { idOf, numbersOf, ofTypes, valuesOf } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS } from "@/lib/analytics/query/dimensions";
import { COUNTED_EVENTS, NAMED_EVENTS, VIEWS } from "@/lib/analytics/query/event-types";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";

/** Sums of visits and events by dimensions. */

/**
 * Groups of sums: visitors alone, all sums of visits, numbers of page views and events alone, all sums of events, scroll
 * depths.
 */
export type Part = "visitors" | "visits" | "counts" | "events" | "scrolls";

/** SQL for what makes a visit a bounce. */
export const BOUNCED = sql`(fact.pageviews < 2 AND fact.interactions = 0)`;

const { pageview, screen, event, commerce, engagement } = EVENT_TYPES;

const COUNTS = sql`
  count(*) FILTER (WHERE fact.type IN (${pageview}, ${screen})) AS pageviews,
  count(*) FILTER (WHERE fact.type IN (${event}, ${commerce})) AS events`;
const NO_ENGAGEMENT = sql`0 AS "engagementMs", 0 AS engaged`;
export const EVENT_SUMS = sql`
  ${COUNTS}, coalesce(sum(fact.engagement_ms), 0) AS "engagementMs", count(*) FILTER (WHERE fact.type = ${engagement}) AS engaged`;
const NO_EVENTS = sql`0 AS pageviews, 0 AS events, ${NO_ENGAGEMENT}`;
const NO_SCROLLS = sql`0 AS scroll, 0 AS scrolled`;

/** The columns of keys. */
export const KEYS = [raw("k0"), raw("k1"), raw("k2")];
const WORDS = [raw("w0"), raw("w1"), raw("w2")];

/**
 * The tables that sums are read from, with conditions: facts with those of a scope, or temporary tables without any.
 */
export interface Source {
  visits: { table: Sql; where: Sql };
  events: { table: Sql; where: Sql };
  /** Whether rows are per local day, with a column `on_day` after the keys. */
  byDay?: boolean;
}

/** SQL for the partial sums of one source, one query per part. @param whole SQL for a table of the visits of the events. */
export function partialSumsIn(source: Source, by: readonly DimensionKey[], parts: readonly Part[], whole: Sql): Sql[] {
  const grouped = { source, by, whole };
  const asked = (...some: Part[]) => some.some((part) => parts.includes(part));
  const people = asked("visits") ? "visits" : asked("visitors") && "visitors";
  const sums = asked("events") ? "events" : asked("counts") && "counts";
  const together = by.some((key) => dimensionOf(key).level === "event");
  return [
    ...(people && !together ? [visitsBy(grouped)] : []),
    ...(sums || (people && together) ? [eventsBy(grouped, together && people, sums)] : []),
    ...(asked("scrolls") ? [scrollsBy(grouped)] : []),
  ].map((one) => withWords(grouped, one));
}

interface Grouped {
  source: Source;
  by: readonly DimensionKey[];
  whole: Sql;
}

const list = (parts: readonly Sql[]): Sql => (parts.length > 0 ? join([...parts], "") : empty);

/** The value numbers as keys, each followed by a comma. */
const named = ({ by, source }: Grouped) =>
  list([
    ...by.map((_, index) => sql`${WORDS[index]}.number AS ${KEYS[index]}, `),
    ...(source.byDay ? [sql`fact.day AS on_day, `] : []),
  ]);

/** Joins the texts after grouping, because grouping by numbers takes a fraction of the time. */
function withWords({ by }: Grouped, sums: Sql): Sql {
  if (by.length === 0) return sums;
  const keys = join(by.map((_, index) => KEYS[index] as Sql));
  const values = join(by.map((_, index) => sql`${WORDS[index]}.value AS ${KEYS[index]}`));
  const words = by.map(
    (key, index) => sql` LEFT JOIN ${valuesOf(key)} AS ${WORDS[index]} ON ${WORDS[index]}.id = sums.${KEYS[index]}`,
  );
  return sql`SELECT ${values}, sums.* EXCLUDE (${keys}) FROM (${sums}) AS sums${list(words)}`;
}

function dictionaries({ by }: Grouped, from: "visit" | "event"): Sql {
  return list(
    by.map((key, index) => {
      const id = from === "event" && ONLY_ON_VISITS.has(key) ? sql`whole.${raw(key)}` : idOf(key);
      const alias = WORDS[index];
      return sql`LEFT JOIN ${numbersOf(key)} AS ${alias} ON ${alias}.id = ${id} `;
    }),
  );
}

/** SQL for the visitor of `fact`: visitors count once per local day. */
export const VISITOR = sql`hash(fact.day, fact.visitor_id)`;

/**
 * SQL for a column `alone`: whether the visitor of `fact`, a visit, has no other visit on its day among the chosen ones. Nearly
 * all are alone, and counting rows takes a fraction of the time that counting distinct visitors takes.
 */
export const ALONE = sql`count(*) OVER (PARTITION BY fact.day, fact.visitor_id) = 1 AS alone`;

/** SQL for how many visitors made the visits of a group, by the columns `visitor` (`VISITOR`) and `alone`. */
export const VISITORS = sql`(count(*) FILTER (WHERE alone) + count(DISTINCT visitor) FILTER (WHERE NOT alone))`;

function visitsBy(grouped: Grouped): Sql {
  const { source, by } = grouped;
  return sql`
    SELECT ${named(grouped)}count(DISTINCT ${VISITOR}) AS visitors, count(*) AS visits,
           count(*) FILTER (WHERE ${BOUNCED}) AS bounces, sum(fact.duration_ms) AS "durationMs", ${NO_EVENTS}, ${NO_SCROLLS}
    FROM ${source.visits.table} AS fact ${dictionaries(grouped, "visit")}
    WHERE ${source.visits.where} ${withPages(by)} ${groupedBy(grouped)}`;
}

/** Visits without a page view have no entry or exit page. */
const withPages = (by: readonly DimensionKey[]): Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? sql`AND fact.pageviews > 0` : empty;

/** @param people counts the visitors, or visitors and visits, of the events. @param sums what is added up of the events. */
function eventsBy(grouped: Grouped, people: "visitors" | "visits" | false, sums: "counts" | "events" | false): Sql {
  const { by } = grouped;
  const shown = ofTypes(typesOf(by));
  const distinct = (what: Sql) => sql`count(DISTINCT ${what}) FILTER (WHERE ${shown} AND fact.visitor_id IS NOT NULL)`;
  const counted = sums === "counts" ? sql`AND ${ofTypes([...VIEWS, ...COUNTED_EVENTS])}` : empty;
  const only = by.includes("event") || !sums ? sql`AND ${shown}` : counted;
  const added = { events: EVENT_SUMS, counts: sql`${COUNTS}, ${NO_ENGAGEMENT}` };
  return sql`
    SELECT ${named(grouped)}${people ? distinct(VISITOR) : sql`0`} AS visitors,
           ${people === "visits" ? distinct(sql`hash(fact.day, fact.visit_id)`) : sql`0`} AS visits, 0 AS bounces,
           0 AS "durationMs", ${sums ? added[sums] : NO_EVENTS}, ${NO_SCROLLS}
    FROM ${factsBy(grouped)} ${only} ${groupedBy(grouped)}`;
}

function scrollsBy(grouped: Grouped): Sql {
  return sql`
    SELECT ${keysOf(grouped)}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${NO_EVENTS},
           sum(furthest) AS scroll, count(*) AS scrolled FROM (
      SELECT ${named(grouped)}max(fact.scroll) AS furthest
      FROM ${factsBy(grouped)} AND fact.type = ${engagement} AND fact.scroll IS NOT NULL
      GROUP BY ${keysOf(grouped)}fact.visit_id, fact.page, fact.day) AS pages ${groupedBy(grouped)}`;
}

/** `k0, k1 …`, each followed by a comma. */
const keysOf = (grouped: Grouped) => list(keyList(grouped).map((key) => sql`${key}, `));
const groupedBy = (grouped: Grouped): Sql =>
  keyList(grouped).length > 0 ? sql`GROUP BY ${join(keyList(grouped))}` : empty;
const keyList = ({ by, source }: Grouped): Sql[] => [
  ...by.map((_, index) => KEYS[index] as Sql),
  ...(source.byDay ? [sql`on_day`] : []),
];

/** The events of a source joined with the values of these dimensions, and with visits for dimensions that only visits have. */
function factsBy(grouped: Grouped): Sql {
  const { source, by } = grouped;
  const whole = by.some((key) => ONLY_ON_VISITS.has(key))
    ? sql`JOIN ${grouped.whole} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : empty;
  return sql`${source.events.table} AS fact ${whole} ${dictionaries(grouped, "event")} WHERE ${source.events.where}`;
}

/** The types of events that have a value of these dimensions. Named events may have a page; page views have no name. */
export const typesOf = (by: readonly DimensionKey[]): readonly number[] =>
  by.includes("event") ? NAMED_EVENTS : VIEWS;

/** The parts that the rollup has by a dimension; without one it has all. Page views are shown by page and by channel. */
export const rolledParts = (key: DimensionKey | undefined): readonly Part[] => {
  if (key === undefined) return ["visitors", "visits", "counts", "events", "scrolls"];
  return key === "page" || key === "channel" ? ["visitors", "visits", "counts", "events"] : ["visitors", "visits"];
};

export const ADDED_UP = sql`
  coalesce(sum(visitors), 0)::BIGINT AS visitors, coalesce(sum(visits), 0)::BIGINT AS visits,
  coalesce(sum(bounces), 0)::BIGINT AS bounces, coalesce(sum("durationMs"), 0)::DOUBLE AS "durationMs",
  coalesce(sum(pageviews), 0)::BIGINT AS pageviews, coalesce(sum(events), 0)::BIGINT AS events,
  coalesce(sum("engagementMs"), 0)::DOUBLE AS "engagementMs", coalesce(sum(engaged), 0)::BIGINT AS engaged,
  coalesce(sum(scroll), 0)::DOUBLE AS scroll, coalesce(sum(scrolled), 0)::BIGINT AS scrolled`;
