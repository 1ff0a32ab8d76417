import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, wordsOf } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { BOUNCED, EVENT_SUMS, SCROLLED } from "@/lib/analytics/fact-sums";
import { ofTypes } from "@/lib/analytics/filters";
import { dayOf, eventsIn, type Scope, visitsIn, wholeVisits } from "@/lib/analytics/question";
import { Prisma } from "@/lib/db";

/** Partial sums of the facts themselves. */

/** Which sums are asked for: those of visits, of events, or how far pages were scrolled. */
export type Part = "visits" | "events" | "scrolls";

/** The columns of keys. */
export const KEYS = [Prisma.sql`k0`, Prisma.sql`k1`, Prisma.sql`k2`];

/** SQL for the values of a dimension as a table `(id, value)`, null where it is unknown. */
export const inWords = (key: DimensionKey, siteId: number): Prisma.Sql =>
  Prisma.sql`(SELECT id, nullif(word, '') FROM ${wordsOf(key, siteId)} AS words(id, word))`;

/**
 * SQL for rows of partial sums `k0, k1, … visitors, visits, …`, to be added up by their keys. Sums of several days are the
 * sums of each of them: by a dimension of events, a visit counts on each local day on which it has such an event.
 */
export function partials(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Prisma.Sql {
  const asked = { scope, by };
  const rows = by.some((key) => dimensionOf(key).level === "event")
    ? ofEvents(asked, parts)
    : parts.map((part) => ({ visits: visitsBy, events: eventsBy, scrolls: scrollsBy })[part](asked));
  return Prisma.join(rows, " UNION ALL ");
}

/** By a dimension of events, their sums are got with their visits, unless these are told by other types of events. */
function ofEvents(asked: Asking, parts: readonly Part[]): Prisma.Sql[] {
  const [visits, events] = [parts.includes("visits"), parts.includes("events")];
  const together = visits && events && !asked.by.includes("event");
  return [
    ...(visits ? [visitsByEvents(asked, together)] : []),
    ...(events && !together ? [eventsBy(asked)] : []),
    ...(parts.includes("scrolls") ? [scrollsBy(asked)] : []),
  ];
}

interface Asking {
  scope: Scope;
  by: readonly DimensionKey[];
}

/** `k0, k1 …`, each followed by a comma. */
const keysOf = (by: readonly DimensionKey[]) => joined(by.map((_, index) => Prisma.sql`${KEYS[index]}, `));
/** The same, each after one: what has most values comes first in a list to group by, so that hashes are cheaper than sorting. */
const more = (by: readonly DimensionKey[]) => joined(by.map((_, index) => Prisma.sql`, ${KEYS[index]}`));
/** The joined values under these names. */
const named = (by: readonly DimensionKey[]) =>
  joined(by.map((_, index) => Prisma.sql`${VALUES[index]}.value AS ${KEYS[index]}, `));
const grouped = (by: readonly DimensionKey[]) =>
  by.length > 0 ? Prisma.sql`GROUP BY ${Prisma.join(by.map((_, index) => KEYS[index] as Prisma.Sql))}` : Prisma.empty;
const joined = (parts: Prisma.Sql[]) => (parts.length > 0 ? Prisma.join(parts, "") : Prisma.empty);
const VALUES = [Prisma.sql`v0`, Prisma.sql`v1`, Prisma.sql`v2`];

function dictionaries({ scope, by }: Asking, from: "visit" | "event"): Prisma.Sql {
  const joins = by.map((key, index) => {
    const fact =
      from === "event" && ONLY_ON_VISITS.has(key)
        ? Prisma.sql`whole.${COLUMNS[key] ?? Prisma.empty}`
        : dimensionOf(key).fact;
    const alias = VALUES[index];
    return Prisma.sql`LEFT JOIN ${inWords(key, scope.siteId)} AS ${alias}(id, value) ON ${alias}.id = ${fact} `;
  });
  return joined(joins);
}
const COLUMNS: Partial<Record<DimensionKey, Prisma.Sql>> = {
  entry_page: Prisma.sql`entry_page`,
  exit_page: Prisma.sql`exit_page`,
};

function visitsBy(asking: Asking): Prisma.Sql {
  const { scope, by } = asking;
  const keys = keysOf(by);
  return Prisma.sql`
    SELECT ${keys}count(*) AS visitors, sum(visits) AS visits, sum(bounces) AS bounces, sum(duration) AS "durationMs",
           0 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged, 0 AS scroll, 0 AS scrolled FROM (
      SELECT ${named(by)}${dayOf(Prisma.sql`fact.started`, scope)} AS day, fact.visitor_id, count(*) AS visits,
             count(*) FILTER (WHERE ${BOUNCED}) AS bounces, sum(fact.duration_ms) AS duration
      FROM facts.visit AS fact ${dictionaries(asking, "visit")}
      WHERE ${visitsIn(scope)} ${withPages(by)}
      GROUP BY fact.visitor_id, day ${more(by)}) AS visitors ${grouped(by)}`;
}

/** Visits in which no page was seen have no entry and no exit page. */
const withPages = (by: readonly DimensionKey[]): Prisma.Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? Prisma.sql`AND fact.pageviews > 0` : Prisma.empty;

/** @param together with the sums of events. */
function visitsByEvents(asking: Asking, together: boolean): Prisma.Sql {
  const { scope, by } = asking;
  const keys = keysOf(by);
  const seen = together ? Prisma.empty : Prisma.sql`AND ${ofTypes(typesOf(by))}`;
  const sums = together ? EVENT_SUMS : Prisma.sql`1 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged`;
  const told = together ? ADDED_EVENTS : NO_EVENTS;
  return Prisma.sql`
    SELECT ${keys}count(visitor_id) FILTER (WHERE visits > 0) AS visitors, sum(visits) AS visits, 0 AS bounces, 0 AS "durationMs",
           ${told}, 0 AS scroll, 0 AS scrolled FROM (
      SELECT ${keys}day, visitor_id, count(visitor_id) FILTER (WHERE pageviews > 0) AS visits, ${told} FROM (
        SELECT ${named(by)}${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, fact.visit_id, ${sums}
        FROM ${factsBy(asking)} ${seen}
        GROUP BY fact.visit_id, fact.visitor_id, day ${more(by)}) AS seen
      GROUP BY visitor_id, day ${more(by)}) AS visitors ${grouped(by)}`;
}

const NO_EVENTS = Prisma.sql`0 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged`;
const ADDED_EVENTS = Prisma.sql`
  sum(pageviews)::int AS pageviews, sum(events)::int AS events, sum("engagementMs") AS "engagementMs",
  sum(engaged)::int AS engaged`;

function eventsBy(asking: Asking): Prisma.Sql {
  const { by } = asking;
  const onlyNamed = by.includes("event") ? Prisma.sql`AND ${ofTypes(typesOf(by))}` : Prisma.empty;
  return Prisma.sql`
    SELECT ${named(by)}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${EVENT_SUMS}, 0 AS scroll, 0 AS scrolled
    FROM ${factsBy(asking)} ${onlyNamed} ${grouped(by)}`;
}

function scrollsBy(asking: Asking): Prisma.Sql {
  const { scope, by } = asking;
  const keys = keysOf(by);
  return Prisma.sql`
    SELECT ${keys}0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", 0 AS pageviews, 0 AS events,
           0 AS "engagementMs", 0 AS engaged, sum(furthest) AS scroll, count(*) AS scrolled FROM (
      SELECT ${named(by)}max(fact.scroll) AS furthest FROM ${factsBy(asking)} AND ${SCROLLED}
      GROUP BY fact.visit_id, fact.page, ${dayOf(Prisma.sql`fact.ts`, scope)} ${more(by)}) AS pages ${grouped(by)}`;
}

/** The events of a scope with the words of these dimensions, and with their visits where only these know. */
function factsBy(asking: Asking): Prisma.Sql {
  const { scope, by } = asking;
  const whole = by.some((key) => ONLY_ON_VISITS.has(key))
    ? Prisma.sql`JOIN ${wholeVisits(scope)} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : Prisma.empty;
  return Prisma.sql`facts.event AS fact ${whole} ${dictionaries(asking, "event")} WHERE ${eventsIn(scope)}`;
}

/** The types of events that have a value of these dimensions. What is named may have a page too; a page has no name. */
const typesOf = (by: readonly DimensionKey[]): readonly number[] => (by.includes("event") ? NAMED_EVENTS : VIEWS);
