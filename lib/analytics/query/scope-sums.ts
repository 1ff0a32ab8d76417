import { dayNumbers } from "@/lib/analytics/calendar/buckets";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { type BreakdownKey, type DimensionKey, ROLLED } from "@/lib/analytics/query/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/query/event-types";
import { NOTHING, type Sum, type Sums } from "@/lib/analytics/query/metrics";
import {
  eventsIn,
  eventsOfVisits,
  isFiltered,
  queryCopy,
  type Scope,
  visitsIn,
  wholeVisits,
} from "@/lib/analytics/query/scope";
import {
  ADDED_UP,
  ALONE,
  isRolled,
  type Part,
  PRESENT,
  partialSumsIn,
  type Source,
  sumColumns,
  typesOf,
} from "@/lib/analytics/query/sums-sql";
import { presentVisits } from "@/lib/analytics/query/visit-values";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";
import { startOfDay } from "@/lib/platform/time";

/** Sums of a scope: of its facts, of the rollup where it has them, and of imported days. */

/** The facts of a scope. @param isOpen whether only those of days that the rollup does not have. */
function factsOf(scope: Scope, isOpen = false): Source {
  // A comparison of the bare column lets DuckDB skip the other days.
  const after = (margin: number) => (isOpen ? sql`AND fact.day > (SELECT rolled_until - ${margin} FROM state)` : empty);
  const events = sql`${eventsIn(scope)} ${after(0)}`;
  return {
    visits: { table: sql`visit`, where: sql`${visitsIn(scope)} ${after(0)}` },
    events: { table: sql`event`, where: events },
    present: { table: sql`event`, where: sql`${events} AND ${PRESENT}` },
    // An event may be a little earlier than its visit.
    ofVisits: { table: sql`event`, where: sql`${eventsOfVisits(scope)} ${after(1)}` },
  };
}

/**
 * SQL for rows of partial sums `k0, k1, … visitors, visits, …` of a scope, which the caller adds up by key. For a dimension
 * of events, visits are those with such an event, where they began. Closed days come from the rollup if it has them.
 */
export function partialSums(scope: Scope, by: readonly BreakdownKey[], parts: readonly Part[], byDay = false): Sql {
  const held = parts.filter((part) => isRolled(by[0], part));
  const { facts, rolled } = readingOf(scope, by, held, byDay);
  // Parts that the rollup lacks come from all facts.
  const others = rolled.length > 0 ? parts.filter((part) => !held.includes(part)) : [];
  const ofFacts = (source: Source, some: readonly Part[]) =>
    partialSumsIn({ ...source, byDay }, by, some, wholeVisits(scope));
  const rows = [
    ...facts.flatMap((source) => ofFacts(source, rolled.length > 0 ? held : parts)),
    ...ofFacts(factsOf(scope), others),
  ];
  return join([...rows, ...rolled, ...importedBy(scope, by, byDay)], " UNION ALL ");
}

/**
 * The facts of a scope that are not in the rollup, read once for many sums.
 *
 * @returns `tables`: SQL of `chosen` (visits), `happened` (events), `included` (events of the chosen visits) and `present`
 *   (visits with their visitors by local day), to follow WITH; `sums`: SQL for partial sums from them.
 */
export function gatheredSums(scope: Scope) {
  const { facts } = readingOf(scope, [], ["visits"]);
  const gathered = (rows: (source: Source) => Sql) => join(facts.map(rows), " UNION ALL ");
  const everything = sql`true`;
  const source: Source = {
    visits: { table: sql`chosen`, where: everything },
    events: { table: sql`happened`, where: everything },
    present: { table: sql`present`, where: everything },
    ofVisits: { table: sql`included`, where: everything },
  };
  const chosen = gathered(({ visits }) => sql`SELECT fact.* FROM visit AS fact WHERE ${visits.where}`);
  const happened = gathered(
    ({ events }) => sql`
      SELECT fact.day, fact.visitor_id, fact.visit_id, fact.page, fact.name, fact.referrer, fact.campaign, fact.place,
        fact.agent, fact.type, fact.engagement_ms, fact.scroll
      FROM event AS fact WHERE ${events.where}`,
  );
  const included = gathered(
    ({ ofVisits }) => sql`
      SELECT fact.visit_id, fact.page, fact.name, fact.type FROM event AS fact
      WHERE ${ofVisits.where} AND ${ofTypes([...VIEWS, ...NAMED_EVENTS])}`,
  );
  const present = presentVisits(sql`happened AS fact WHERE ${PRESENT}`);
  return {
    tables: sql`
      chosen AS MATERIALIZED (${chosen}), happened AS MATERIALIZED (${happened}), included AS (${included}),
      present AS MATERIALIZED (SELECT fact.*, ${ALONE} FROM (${present}) AS fact)`,
    /** By a dimension of events: their visitors, visits and page views, from the events that show it. */
    sums(by: readonly [] | readonly ["page" | "event"], parts: readonly Part[]): Sql {
      const events = by.length > 0 ? { ...source.events, where: ofTypes(typesOf(by)) } : source.events;
      const rows = partialSumsIn({ ...source, events }, by, parts, sql`chosen`);
      return join([...rows, ...readingOf(scope, by, parts).rolled, ...importedBy(scope, by, false)], " UNION ALL ");
    },
  };
}

/** The facts that a scope reads, and SQL for the rollup rows of the rest. */
interface Reading {
  facts: Source[];
  rolled: Sql[];
}

/** The rollup has whole closed days of human or all traffic, by at most one dimension. */
function readingOf(scope: Scope, by: readonly BreakdownKey[], parts: readonly Part[], byDay = false): Reading {
  const dimension = rollupDimension(by);
  const closed = dimension !== undefined && parts.length > 0 && rolledDays(scope);
  if (!closed) return { facts: [factsOf(scope)], rolled: [] };
  const rolled = sql`
    SELECT rollup.value AS id, ${byDay ? sql`rollup.day AS on_day, ` : empty}${rolledSums(parts)}
    FROM rollup WHERE rollup.dimension = ${dimension} AND ${closed.condition} GROUP BY ALL`;
  const value = by.length > 0 ? sql`rollup_value.value, ` : empty;
  return {
    facts: notRolled(scope, closed.first, closed.last),
    rolled: [sql`SELECT ${value}sums.* EXCLUDE (id) FROM (${rolled}) AS sums JOIN rollup_value USING (id)`],
  };
}

/** The columns of the rollup by the parts that need them. All visits of it have known bounces, durations and page views. */
const ROLLED_COLUMNS: readonly [parts: readonly Part[], columns: Partial<Record<Sum, string>>][] = [
  [["visitors", "visits"], { visitors: "visitors" }],
  [
    ["visits", "began"],
    {
      visits: "visits",
      bounces: "bounces",
      bounceVisits: "visits",
      durationMs: "duration_ms",
      durationVisits: "visits",
      viewVisits: "visits",
    },
  ],
  [["counts", "events"], { visitViews: "pageviews", pageviews: "pageviews", events: "events" }],
  [["events"], { engagementMs: "engagement_ms", engaged: "engaged", engageable: "pageviews" }],
  [["scrolls"], { scroll: "scroll", scrolled: "scrolled" }],
];

/** The sums of these parts; the others are 0, as in partial sums of facts. */
function rolledSums(parts: readonly Part[]): Sql {
  const needed = ROLLED_COLUMNS.filter(([of]) => of.some((part) => parts.includes(part)));
  const columns = needed.flatMap(([, one]) => Object.entries(one));
  return sumColumns(
    Object.fromEntries(columns.map(([sum, column]) => [sum, raw(`coalesce(sum(${column}), 0)::BIGINT`)])),
  );
}

/** The whole days of a scope and the condition on their rollup rows; null if the rollup cannot answer. */
function rolledDays(scope: Scope): { first: number; last: number; condition: Sql } | null {
  const { traffic } = scope;
  const [first, last] = [wholeDays(scope)[0], wholeDays(scope).at(-1)];
  if (isFiltered(scope) || (traffic !== "all" && traffic !== "human") || first === undefined || last === undefined)
    return null;
  const condition = sql`rollup.everything = ${traffic === "all"} AND rollup.day BETWEEN ${first} AND ${last}`;
  return { first, last, condition };
}

/** SQL for rows `dimension, value, visitors, visits` of closed and imported days, by dimensions of visits. */
export function knownVisits(scope: Scope, dimensions: readonly number[]): Sql[] {
  const closed = rolledDays(scope);
  const those = sql`dimension IN (${join([...dimensions])})`;
  return [
    ...(closed
      ? [
          sql`SELECT dimension, rollup_value.value, visitors, visits FROM (
                SELECT dimension, rollup.value AS id, sum(visitors)::BIGINT AS visitors, sum(visits)::BIGINT AS visits
                FROM rollup WHERE ${those} AND ${closed.condition} GROUP BY ALL) JOIN rollup_value USING (id)`,
        ]
      : []),
    ...(scope.imported
      ? [
          sql`SELECT dimension, nullif(word, '') AS value, visitors, visits FROM imported
              WHERE ${those} AND ${importedDay(scope)}`,
        ]
      : []),
  ];
}

/** The facts of a scope without its closed days: open days and partial days at both ends. */
function notRolled(scope: Scope, first: number, last: number): Source[] {
  const numbers = dayNumbers(scope.days, scope.range.timezone);
  const [start, end] = [
    scope.days[numbers.indexOf(first)] as Date,
    scope.days[numbers.indexOf(last) + 1] ?? scope.range.end,
  ];
  const within = (range: { start: Date; end: Date }) => ({ ...scope, range: { ...scope.range, ...range } });
  const open = factsOf(within({ start, end }), true);
  const edges = [
    { start: scope.range.start, end: start },
    { start: end, end: scope.range.end },
  ].filter((edge) => edge.start < edge.end);
  return [open, ...edges.map((edge) => factsOf(within(edge)))];
}

/** The number of a dimension in rollup and imported sums, 0 for none; undefined if they do not have it. */
function rollupDimension(by: readonly BreakdownKey[]): number | undefined {
  const [key] = by;
  if (by.length > 1) return undefined;
  return key === undefined ? 0 : ROLLED[key as DimensionKey];
}

/** Imported sums of the whole days of a scope that have no facts; by at most one dimension. */
function importedBy(scope: Scope, by: readonly BreakdownKey[], byDay: boolean): Sql[] {
  const [key] = by;
  const dimension = rollupDimension(by);
  if (!scope.imported || dimension === undefined) return [];
  const word = sql`${key === undefined ? empty : sql`nullif(word, '') AS k0, `}${byDay ? sql`day AS on_day, ` : empty}`;
  return [
    sql`
    SELECT ${word}${IMPORTED_SUMS} FROM imported WHERE dimension = ${dimension} AND ${importedDay(scope)}`,
  ];
}

/** Null is unknown: what it would be divided by does not count its visits either. */
const IMPORTED_SUMS = sumColumns({
  visitors: sql`visitors`,
  visits: sql`visits`,
  bounces: sql`bounces`,
  bounceVisits: sql`CASE WHEN bounces IS NOT NULL THEN visits END`,
  durationMs: sql`duration_ms`,
  durationVisits: sql`CASE WHEN duration_ms IS NOT NULL THEN visits END`,
  visitViews: sql`CASE WHEN visits IS NOT NULL THEN pageviews END`,
  viewVisits: sql`CASE WHEN pageviews IS NOT NULL THEN visits END`,
  visitsMissing: sql`(visits IS NULL)::INTEGER`,
  viewsMissing: sql`(pageviews IS NULL)::INTEGER`,
  eventsMissing: sql`(events IS NULL)::INTEGER`,
  pageviews: sql`pageviews`,
  events: sql`events`,
});

/** The condition that a row of `imported` is of a whole day of the scope without facts. */
export const importedDay = (scope: Scope): Sql => sql`
  imported.day IN (SELECT unnest(${wholeDays(scope)}::INTEGER[]))
  AND imported.day NOT IN (SELECT day FROM event UNION SELECT day FROM visit)`;

/** The local days that lie completely in the scope, as numbers of days since 1970-01-01. */
function wholeDays({ days, range }: Scope): number[] {
  const { from, to, timezone, start, end } = range;
  const numbers = dayNumbers(days, timezone);
  const first = startOfDay(from, timezone) >= start ? 0 : 1;
  const last = startOfDay(to.add({ days: 1 }), timezone) <= end ? numbers.length : numbers.length - 1;
  return numbers.slice(first, last);
}

/** The sums of a whole scope. */
export async function sumsOf(scope: Scope, parts: readonly Part[] = ["visits", "events", "scrolls"]): Promise<Sums> {
  const [rows] = await queryCopy<[Sums[]]>(
    scope,
    sql`SELECT ${ADDED_UP} FROM (${partialSums(scope, [], parts)}) AS partial`,
  );
  return rows[0] ?? NOTHING;
}
