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
import { BOUNCED, EVENT_SUMS, SCROLLED, type Sums } from "@/lib/analytics/sums";
import { Prisma, reports } from "@/lib/db";

/** Which sums are asked for: those of visits, of events, or how far pages were scrolled. */
export type Part = "visits" | "events" | "scrolls";

export interface Grouping {
  /** One to three dimensions. */
  by: readonly DimensionKey[];
  parts: readonly Part[];
  /** SQL over the sums by which rows are ordered; ties are broken by their values. */
  order: Prisma.Sql;
  /** SQL over the sums that a row must meet; it has anything at all when not given. */
  having?: Prisma.Sql;
  limit: number;
  offset?: number;
  /** Only the rows of these values. */
  among?: readonly Group["values"][];
}

export interface Group extends Sums {
  /** A value of each dimension; null where it is unknown or there is none. */
  values: (string | null)[];
}

/**
 * The sums of each combination of values. By visit dimensions, visits count where they began, with what each one is. By a
 * dimension of events, visitors and visits are those of the matching events, where these happened.
 */
export async function groups(
  scope: Scope,
  { by, parts, order, having = ANYTHING, limit, offset = 0, among }: Grouping,
): Promise<Group[]> {
  const keys = Prisma.join(by.map((_, index) => Prisma.sql`${KEYS[index]}`));
  const asked = among
    ? Prisma.sql`AND to_jsonb(ARRAY[${keys}]) = ANY(${among.map((values) => JSON.stringify(values))}::text[]::jsonb[])`
    : Prisma.empty;
  return reports().$queryRaw`
    SELECT ARRAY[${keys}] AS values, ${ADDED_UP} FROM (${Prisma.join(partials(scope, by, parts), " UNION ALL ")}) AS partial
    GROUP BY ${keys} HAVING (${having}) ${asked}
    ORDER BY ${order}, ${keys} LIMIT ${limit} OFFSET ${offset}`;
}

const ANYTHING = Prisma.sql`sum(visits) > 0 OR sum(pageviews) > 0 OR sum(events) > 0`;
const KEYS = [Prisma.sql`k0`, Prisma.sql`k1`, Prisma.sql`k2`];

const ADDED_UP = Prisma.sql`
  sum(visitors)::int AS visitors, sum(visits)::int AS visits, sum(bounces)::int AS bounces,
  sum("durationMs")::float8 AS "durationMs", sum(pageviews)::int AS pageviews, sum(events)::int AS events,
  sum("engagementMs")::float8 AS "engagementMs", sum(engaged)::int AS engaged,
  sum(scroll)::float8 AS scroll, sum(scrolled)::int AS scrolled`;

/** Rows of partial sums, all of one shape. */
function partials(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Prisma.Sql[] {
  const ofEvents = by.some((key) => dimensionOf(key).level === "event");
  return parts.map((part) => {
    if (part === "visits") return ofEvents ? visitsByEvents(scope, by) : visitsBy(scope, by);
    return part === "events" ? eventsBy(scope, by) : scrollsBy(scope, by);
  });
}

/** `k0, k1 …` as the words of the joined dictionaries; null for unknown. */
const named = (by: readonly DimensionKey[]) =>
  Prisma.join(by.map((_, index) => Prisma.sql`nullif(${WORDS[index]}.word, '') AS ${KEYS[index]}`));
const WORDS = [Prisma.sql`w0`, Prisma.sql`w1`, Prisma.sql`w2`];

function dictionaries(scope: Scope, by: readonly DimensionKey[], from: "visit" | "event"): Prisma.Sql {
  const joins = by.map((key, index) => {
    const fact =
      from === "event" && ONLY_ON_VISITS.has(key)
        ? Prisma.sql`whole.${COLUMNS[key] ?? Prisma.empty}`
        : dimensionOf(key).fact;
    return Prisma.sql`LEFT JOIN ${wordsOf(key, scope.siteId)} AS ${WORDS[index]}(id, word) ON ${WORDS[index]}.id = ${fact}`;
  });
  return Prisma.join(joins, " ");
}
const COLUMNS: Partial<Record<DimensionKey, Prisma.Sql>> = {
  entry_page: Prisma.sql`entry_page`,
  exit_page: Prisma.sql`exit_page`,
};

function visitsBy(scope: Scope, by: readonly DimensionKey[]): Prisma.Sql {
  const keys = Prisma.join(by.map((_, index) => Prisma.sql`${KEYS[index]}`));
  return Prisma.sql`
    SELECT ${keys}, count(*) AS visitors, sum(visits) AS visits, sum(bounces) AS bounces, sum(duration) AS "durationMs",
           0 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged, 0 AS scroll, 0 AS scrolled FROM (
      SELECT ${named(by)}, ${dayOf(Prisma.sql`fact.started`, scope)} AS day, fact.visitor_id, count(*) AS visits,
             count(*) FILTER (WHERE ${BOUNCED}) AS bounces, sum(fact.duration_ms) AS duration
      FROM facts.visit AS fact ${dictionaries(scope, by, "visit")}
      WHERE ${visitsIn(scope)} ${withPages(by)}
      GROUP BY ${keys}, day, fact.visitor_id) AS visitors GROUP BY ${keys}`;
}

/** Visits in which no page was seen have no entry and no exit page. */
const withPages = (by: readonly DimensionKey[]): Prisma.Sql =>
  by.some((key) => ONLY_ON_VISITS.has(key)) ? Prisma.sql`AND fact.pageviews > 0` : Prisma.empty;

function visitsByEvents(scope: Scope, by: readonly DimensionKey[]): Prisma.Sql {
  const keys = Prisma.join(by.map((_, index) => Prisma.sql`${KEYS[index]}`));
  return Prisma.sql`
    SELECT ${keys}, count(DISTINCT (day, visitor_id)) AS visitors, count(DISTINCT visit_id) AS visits, 0 AS bounces,
           0 AS "durationMs", 0 AS pageviews, 0 AS events, 0 AS "engagementMs", 0 AS engaged, 0 AS scroll, 0 AS scrolled FROM (
      SELECT ${named(by)}, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id, fact.visit_id
      FROM ${factsBy(scope, by)} AND ${ofTypes(typesOf(by))}
      GROUP BY ${keys}, day, fact.visitor_id, fact.visit_id) AS seen GROUP BY ${keys}`;
}

function eventsBy(scope: Scope, by: readonly DimensionKey[]): Prisma.Sql {
  const keys = Prisma.join(by.map((_, index) => Prisma.sql`${KEYS[index]}`));
  const onlyNamed = by.includes("event") ? Prisma.sql`AND ${ofTypes(typesOf(by))}` : Prisma.empty;
  return Prisma.sql`
    SELECT ${named(by)}, 0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", ${EVENT_SUMS}, 0 AS scroll, 0 AS scrolled
    FROM ${factsBy(scope, by)} ${onlyNamed} GROUP BY ${keys}`;
}

function scrollsBy(scope: Scope, by: readonly DimensionKey[]): Prisma.Sql {
  const keys = Prisma.join(by.map((_, index) => Prisma.sql`${KEYS[index]}`));
  return Prisma.sql`
    SELECT ${keys}, 0 AS visitors, 0 AS visits, 0 AS bounces, 0 AS "durationMs", 0 AS pageviews, 0 AS events,
           0 AS "engagementMs", 0 AS engaged, sum(furthest) AS scroll, count(*) AS scrolled FROM (
      SELECT ${named(by)}, max(fact.scroll) AS furthest FROM ${factsBy(scope, by)} AND ${SCROLLED}
      GROUP BY ${keys}, fact.visit_id, fact.page, ${dayOf(Prisma.sql`fact.ts`, scope)}) AS pages GROUP BY ${keys}`;
}

/** The events of a scope with the words of these dimensions, and with their visits where only these know. */
function factsBy(scope: Scope, by: readonly DimensionKey[]): Prisma.Sql {
  const whole = by.some((key) => ONLY_ON_VISITS.has(key))
    ? Prisma.sql`JOIN ${wholeVisits(scope)} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0`
    : Prisma.empty;
  return Prisma.sql`facts.event AS fact ${whole} ${dictionaries(scope, by, "event")} WHERE ${eventsIn(scope)}`;
}

/** The types of events that have a value of these dimensions. What is named may have a page too; a page has no name. */
const typesOf = (by: readonly DimensionKey[]): readonly number[] => (by.includes("event") ? NAMED_EVENTS : VIEWS);
