import {
  type DimensionKey,
  dimensionOf,
  NAMED_EVENTS,
  ONLY_ON_VISITS,
  VIEWS,
  wordsOf,
} from "@/lib/analytics/dimensions";
import { ofTypes } from "@/lib/analytics/filters";
import { dayOf, eventsIn, type Scope, visitsIn, wholeVisits } from "@/lib/analytics/question";
import { BOUNCED, EVENT_SUMS, SCROLLED } from "@/lib/analytics/sums";
import { Prisma } from "@/lib/db";

/** Partial sums of the facts themselves. */

/** Which sums are asked for: those of visits, of events, or how far pages were scrolled. */
export type Part = "visits" | "events" | "scrolls";

/** The columns of keys. */
export const KEYS = [Prisma.sql`k0`, Prisma.sql`k1`, Prisma.sql`k2`];

/** What stands for the values of a dimension: SQL for a table `(id, value)`, null where it is unknown. */
export type Values = (key: DimensionKey, siteId: number) => Prisma.Sql;

/** The values as their words. */
export const inWords: Values = (key, siteId) =>
  Prisma.sql`(SELECT id, nullif(word, '') FROM ${wordsOf(key, siteId)} AS words(id, word))`;

/**
 * SQL for rows of partial sums `k0, k1, … visitors, visits, …`, to be added up by their keys. Sums of several days are the
 * sums of each of them: by a dimension of events, a visit counts on each local day on which it has such an event.
 */
export function partials(
  scope: Scope,
  by: readonly DimensionKey[],
  parts: readonly Part[],
  values = inWords,
): Prisma.Sql {
  const ofEvents = by.some((key) => dimensionOf(key).level === "event");
  const asked = { scope, by, values };
  const rows = parts.map((part) => {
    if (part === "visits") return ofEvents ? visitsByEvents(asked) : visitsBy(asked);
    return part === "events" ? eventsBy(asked) : scrollsBy(asked);
  });
  return Prisma.join(rows, " UNION ALL ");
}

interface Asking {
  scope: Scope;
  by: readonly DimensionKey[];
  values: Values;
}

/** `k0, k1 …`, each followed by a comma. */
const keysOf = (by: readonly DimensionKey[]) => joined(by.map((_, index) => Prisma.sql`${KEYS[index]}, `));
/** The joined values under these names. */
const named = (by: readonly DimensionKey[]) =>
  joined(by.map((_, index) => Prisma.sql`${VALUES[index]}.value AS ${KEYS[index]}, `));
const grouped = (by: readonly DimensionKey[]) =>
  by.length > 0 ? Prisma.sql`GROUP BY ${Prisma.join(by.map((_, index) => KEYS[index] as Prisma.Sql))}` : Prisma.empty;
const joined = (parts: Prisma.Sql[]) => (parts.length > 0 ? Prisma.join(parts, "") : Prisma.empty);
const VALUES = [Prisma.sql`v0`, Prisma.sql`v1`, Prisma.sql`v2`];

function dictionaries({ scope, by, values }: Asking, from: "visit" | "event"): Prisma.Sql {
  const joins = by.map((key, index) => {
    const fact =
      from === "event" && ONLY_ON_VISITS.has(key)
        ? Prisma.sql`whole.${COLUMNS[key] ?? Prisma.empty}`
        : dimensionOf(key).fact;
    const alias = VALUES[index];
    return Prisma.sql`LEFT JOIN ${values(key, scope.siteId)} AS ${alias}(id, value) ON ${alias}.id = ${fact} `;
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
      GROUP BY ${keys}day, fact.visitor_id) AS visitors ${grouped(by)}`;
}

/** Visits in which no page was seen have no entry and no exit page. */
const withPages = (by: readonly DimensionKey[]): Prisma.Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? Prisma.sql`AND fact.pageviews > 0` : Prisma.empty;

function visitsByEvents(asking: Asking): Prisma.Sql {
  const { scope, by } = asking;
  const keys = keysOf(by);
  return Prisma.sql`
    SELECT ${keys}count(DISTINCT (day, visitor_id)) AS visitors, count(*) AS visits, 0 AS bounces,
           0 AS "durationMs", 0 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged, 0 AS scroll, 0 AS scrolled FROM (
      SELECT ${named(by)}${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, fact.visit_id
      FROM ${factsBy(asking)} AND ${ofTypes(typesOf(by))}
      GROUP BY ${keys}day, fact.visitor_id, fact.visit_id) AS seen ${grouped(by)}`;
}

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
      GROUP BY ${keys}fact.visit_id, fact.page, ${dayOf(Prisma.sql`fact.ts`, scope)}) AS pages ${grouped(by)}`;
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
