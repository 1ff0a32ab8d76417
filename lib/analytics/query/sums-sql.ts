import { carrying, dimensionId, numbersOf, ofTypes, propertyText, valuesOf } from "@/lib/analytics/query/dimension-sql";
import {
  type BreakdownKey,
  type DimensionKey,
  isOfEvents,
  ONLY_ON_VISITS,
  propertyIn,
} from "@/lib/analytics/query/dimensions";
import { COUNTED_EVENTS, NAMED_EVENTS, VIEWS } from "@/lib/analytics/query/event-types";
import { SUMS, type Sum } from "@/lib/analytics/query/metrics";
import { EVENT_TYPES, PRESENCE } from "@/lib/contract/vocabulary";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

/** Sums of visits and events by dimensions. */

/**
 * Groups of sums: visitors alone, visitors and all sums of visits, sums of visits without visitors, numbers of page views and events alone, all sums of
 * events, scroll depths.
 */
export type Part = "visitors" | "visits" | "began" | "counts" | "events" | "scrolls";

/** SQL for what makes a visit a bounce. */
export const BOUNCED = sql`(fact.pageviews < 2 AND fact.interactions = 0)`;

const { pageview, screen, event, commerce, engagement } = EVENT_TYPES;

/** SQL for all sums as columns; 0 where nothing is given. */
export const sumColumns = (given: Partial<Record<Sum, Sql>>): Sql =>
  join(SUMS.map((sum) => sql`${given[sum] ?? sql`0`} AS ${raw(`"${sum}"`)}`));

const VIEWED = sql`count(*) FILTER (WHERE fact.type IN (${pageview}, ${screen}))`;
const COUNTS = {
  visitViews: VIEWED,
  pageviews: VIEWED,
  events: sql`count(*) FILTER (WHERE fact.type IN (${event}, ${commerce}))`,
};
const EVENT_SUMS = {
  ...COUNTS,
  engageable: VIEWED,
  engagementMs: sql`coalesce(sum(fact.engagement_ms), 0)`,
  engaged: sql`count(*) FILTER (WHERE fact.type = ${engagement})`,
};
const ALL_VISITS = sql`count(*)`;
const VISIT_SUMS = {
  visits: ALL_VISITS,
  bounces: sql`count(*) FILTER (WHERE ${BOUNCED})`,
  bounceVisits: ALL_VISITS,
  durationMs: sql`coalesce(sum(fact.duration_ms), 0)`,
  durationVisits: ALL_VISITS,
  viewVisits: ALL_VISITS,
};
/** SQL for the sums of visits, and of events with their visitors (`people`), of a group of facts. */
export const VISITS_SUMMED = sumColumns(VISIT_SUMS);
export const eventsSummed = (people: Sql): Sql => sumColumns({ ...EVENT_SUMS, visitors: people });

/** The columns of keys. */
export const KEYS = [0, 1, 2, 3, 4].map((index) => raw(`k${index}`));
const WORDS = [0, 1, 2, 3, 4].map((index) => raw(`w${index}`));

/** A table of facts, called `fact`, with a condition. */
export interface Facts {
  table: Sql;
  where: Sql;
}

/**
 * The tables that sums are read from: facts with the conditions of a scope, or temporary tables without any.
 */
export interface Source {
  visits: Facts;
  events: Facts;
  /** Events that count their visitors as present. */
  present: Facts;
  /** The events of the visits, also those after the range, that meet the conditions on events. */
  ofVisits: Facts;
  /** Whether rows are per local day, with a column `on_day` after the keys. */
  byDay?: boolean;
}

/** SQL for the partial sums of one source, one query per part. @param whole SQL for a table of the visits of the events. */
export function partialSumsIn(source: Source, by: readonly BreakdownKey[], parts: readonly Part[], whole: Sql): Sql[] {
  const grouped = { source, by, whole };
  const asked = (...some: Part[]) => some.some((part) => parts.includes(part));
  const sums = asked("events") ? EVENT_SUMS : asked("counts") && COUNTS;
  const ofEvents = by.some(isOfEvents);
  const people = asked("visitors", "visits");
  return [
    ...(people && !ofEvents ? [presentBy(grouped)] : []),
    ...(asked("visits", "began") ? [ofEvents ? visitsOfEventsBy(grouped) : visitsBy(grouped)] : []),
    ...(sums || (people && ofEvents) ? [eventsBy(grouped, people && ofEvents, sums)] : []),
    ...(asked("scrolls") ? [scrollsBy(grouped)] : []),
  ].map((one) => withWords(grouped, one));
}

interface Grouped {
  source: Source;
  by: readonly BreakdownKey[];
  whole: Sql;
}

const list = (parts: readonly Sql[]): Sql => (parts.length > 0 ? join([...parts], "") : empty);

/** The value numbers as keys, each followed by a comma. */
const named = ({ by, source }: Grouped, day: Sql = sql`fact.day`) =>
  list([
    ...by.map((key, index) => sql`${numberOf(key, index)} AS ${KEYS[index]}, `),
    ...(source.byDay ? [sql`${day} AS on_day, `] : []),
  ]);

/** A property has no numbers: its text is the key. */
const numberOf = (key: BreakdownKey, index: number): Sql => {
  const property = propertyIn(key);
  return property === null ? sql`${WORDS[index]}.number` : propertyText(property);
};

/** Joins the texts after grouping, because grouping by numbers takes a fraction of the time. */
export function withWords({ by }: Pick<Grouped, "by">, sums: Sql): Sql {
  if (by.length === 0) return sums;
  const keys = join(by.map((_, index) => KEYS[index] as Sql));
  const shownValue = (key: BreakdownKey, index: number) =>
    propertyIn(key) === null ? sql`${WORDS[index]}.value` : sql`sums.${KEYS[index]}`;
  const values = join(by.map((key, index) => sql`${shownValue(key, index)} AS ${KEYS[index]}`));
  const words = by.map((key, index) =>
    propertyIn(key) === null
      ? sql` LEFT JOIN ${valuesOf(key as DimensionKey)} AS ${WORDS[index]} ON ${WORDS[index]}.id = sums.${KEYS[index]}`
      : empty,
  );
  return sql`SELECT ${values}, sums.* EXCLUDE (${keys}) FROM (${sums}) AS sums${list(words)}`;
}

function dictionaries({ by }: Pick<Grouped, "by">, from: "visit" | "event"): Sql {
  return list(
    by.map((key, index) => {
      if (propertyIn(key) !== null) return empty;
      const id =
        from === "event" && ONLY_ON_VISITS.has(key) ? sql`whole.${raw(key)}` : dimensionId(key as DimensionKey);
      const alias = WORDS[index];
      return sql`LEFT JOIN ${numbersOf(key as DimensionKey)} AS ${alias} ON ${alias}.id = ${id} `;
    }),
  );
}

/** SQL for the visitor of `fact`: visitors count once on each local day on which they have an event. */
export const VISITOR = sql`hash(fact.day, fact.visitor_id)`;

/**
 * SQL for whether an event, called `fact`, counts its visitor: engagement and vitals, which begin no visit, do not, and
 * events of servers may have no visitor.
 */
export const PRESENT = sql`(${ofTypes(PRESENCE)} AND fact.visitor_id IS NOT NULL)`;

/**
 * SQL for a column `alone`: whether the visitor of `fact` has no other row on its day. Nearly all are alone, and counting
 * rows takes a fraction of the time that counting distinct visitors takes.
 */
export const ALONE = sql`count(*) OVER (PARTITION BY fact.day, fact.visitor_id) = 1 AS alone`;

const presentBy = (grouped: Grouped): Sql => sql`
  SELECT ${named(grouped)}${sumColumns({ visitors: sql`count(DISTINCT ${VISITOR})` })}
  FROM ${factsBy(grouped, grouped.source.present)} ${groupedBy(grouped)}`;

function visitsBy(grouped: Grouped): Sql {
  const { source, by } = grouped;
  return sql`
    SELECT ${named(grouped)}${VISITS_SUMMED}
    FROM ${source.visits.table} AS fact ${dictionaries(grouped, "visit")}
    WHERE ${source.visits.where} ${withPages(by)} ${groupedBy(grouped)}`;
}

/** Visits by what their events have, on the day on which they began. */
function visitsOfEventsBy(grouped: Grouped): Sql {
  const { source, by } = grouped;
  const began = sql`(SELECT fact.* FROM ${source.visits.table} AS fact WHERE ${source.visits.where} ${withPages(by)})`;
  return sql`
    SELECT ${named(grouped, sql`whole.day`)}${sumColumns({ visits: sql`count(DISTINCT fact.visit_id)` })}
    FROM ${source.ofVisits.table} AS fact JOIN ${began} AS whole ON whole.visit_id = fact.visit_id
    ${dictionaries(grouped, "event")} WHERE ${source.ofVisits.where} AND ${shownBy(by)} ${groupedBy(grouped)}`;
}

/** Visits without a page view have no entry or exit page. */
const withPages = (by: readonly BreakdownKey[]): Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? sql`AND fact.pageviews > 0` : empty;

/** @param people whether the visitors of the events count. @param sums what is added up of the events. */
function eventsBy(grouped: Grouped, people: boolean, sums: Partial<Record<Sum, Sql>> | false): Sql {
  const { by, source } = grouped;
  const shown = shownBy(by);
  const visitors = sql`count(DISTINCT ${VISITOR}) FILTER (WHERE ${shown} AND fact.visitor_id IS NOT NULL)`;
  const counted = sums === COUNTS ? sql`AND ${ofTypes([...VIEWS, ...COUNTED_EVENTS])}` : empty;
  const only = isOfNamed(by) || !sums ? sql`AND ${shown}` : counted;
  return sql`
    SELECT ${named(grouped)}${sumColumns({ ...(sums || {}), ...(people && { visitors }) })}
    FROM ${factsBy(grouped, source.events)} ${only} ${groupedBy(grouped)}`;
}

/** Named events scroll nowhere, so by event or property there is no scroll depth. */
function scrollsBy(grouped: Grouped): Sql {
  const scrolls = isOfNamed(grouped.by) ? sql`false` : sql`fact.type = ${engagement} AND fact.scroll IS NOT NULL`;
  return sql`
    SELECT ${keysOf(grouped)}${sumColumns({ scroll: sql`sum(furthest)`, scrolled: sql`count(*)` })} FROM (
      SELECT ${named(grouped)}max(fact.scroll) AS furthest
      FROM ${factsBy(grouped, grouped.source.events)} AND ${scrolls}
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

/** Events joined with the values of these dimensions, and with visits for dimensions that only visits have. */
function factsBy(grouped: Grouped, { table, where }: Facts): Sql {
  const whole = grouped.by.some((key) => ONLY_ON_VISITS.has(key))
    ? sql`JOIN ${grouped.whole} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : empty;
  return sql`${table} AS fact ${whole} ${dictionaries(grouped, "event")} WHERE ${where}`;
}

/** The types of events that have a value of these dimensions. Named events may have a page; page views have no name. */
export const typesOf = (by: readonly BreakdownKey[]): readonly number[] => {
  if (by.includes("event")) return NAMED_EVENTS;
  return by.some((key) => propertyIn(key) !== null) ? [...VIEWS, ...NAMED_EVENTS] : VIEWS;
};

/** SQL for the events that show values of these dimensions. */
const shownBy = (by: readonly BreakdownKey[]): Sql => sql`(${ofTypes(typesOf(by))} ${carrying(by)})`;

/** Whether all sums of events are those of events that show the values: by what other events cannot have. */
const isOfNamed = (by: readonly BreakdownKey[]): boolean =>
  by.some((key) => key === "event" || propertyIn(key) !== null);

interface Tally {
  by: readonly BreakdownKey[];
  facts: Facts;
  /** SQL for a table of the visits of the events. */
  whole: Sql;
  /** What is counted, as columns. */
  columns: Sql;
  /** Further keys as columns, each followed by a comma, and the joins that they need. */
  also?: Sql;
  joined?: Sql;
}

/**
 * SQL for columns of some events by the numbers of dimensions, as rows `k0, k1, …`, which `withWords` turns into texts. Unlike
 * the sums of visits, these count all events of a page, whatever their type.
 */
export function tallied({ by, facts, whole, columns, also = empty, joined = empty }: Tally): Sql {
  const pages = by.some((key) => ONLY_ON_VISITS.has(key))
    ? sql`JOIN ${whole} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : empty;
  const keys = list(by.map((key, index) => sql`${numberOf(key, index)} AS ${KEYS[index]}, `));
  return sql`
    SELECT ${keys}${also}${columns} FROM ${facts.table} AS fact ${pages} ${dictionaries({ by }, "event")} ${joined}
    WHERE ${facts.where} ${isOfNamed(by) ? sql`AND ${shownBy(by)}` : empty} GROUP BY ALL`;
}

/** The parts that the rollup has by a dimension; without one it has all. Page views are shown by page and by channel. */
export const rolledParts = (key: BreakdownKey | undefined): readonly Part[] => {
  if (key === undefined) return ["visitors", "visits", "counts", "events", "scrolls"];
  return key === "page" || key === "channel" ? ["visitors", "visits", "counts", "events"] : ["visitors", "visits"];
};

/** Whether the rollup has a part by a dimension, or without one. */
export const isRolled = (key: BreakdownKey | undefined, part: Part): boolean =>
  rolledParts(key).includes(part === "began" ? "visits" : part);

/** Sums that are answered as fractions. */
const LARGE: ReadonlySet<Sum> = new Set<Sum>(["durationMs", "engagementMs", "scroll"]);

export const ADDED_UP = join(
  SUMS.map((sum) => raw(`coalesce(sum("${sum}"), 0)::${LARGE.has(sum) ? "DOUBLE" : "BIGINT"} AS "${sum}"`)),
);
