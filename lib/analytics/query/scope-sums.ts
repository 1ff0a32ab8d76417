import { dayNumbers } from "@/lib/analytics/calendar/buckets";
import { empty, join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, ROLLED } from "@/lib/analytics/query/dimensions";
import { NOTHING, type Sums } from "@/lib/analytics/query/metrics";
import { eventsIn, isFiltered, query, type Scope, visitsIn, wholeVisits } from "@/lib/analytics/query/scope";
import {
  ADDED_UP,
  ALONE,
  type Part,
  partialSumsIn,
  rolledParts,
  type Source,
  typesOf,
} from "@/lib/analytics/query/sums-sql";
import { startOfDay } from "@/lib/platform/time";

/** Sums of a scope: of its facts, of the rollup where it has them, and of imported days. */

/** The facts of a scope. @param more a condition that both kinds of facts meet besides. */
const factsOf = (scope: Scope, more: Sql = sql`true`): Source => ({
  visits: { table: sql`visit`, where: sql`${visitsIn(scope)} AND ${more}` },
  events: { table: sql`event`, where: sql`${eventsIn(scope)} AND ${more}` },
});

/**
 * SQL for rows of partial sums `k0, k1, … visitors, visits, …` of a scope, which the caller adds up by key. For a dimension
 * of events, a visit counts on each local day on which it has such an event. Closed days come from the rollup if it has them.
 */
export function partialSums(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[], byDay = false): Sql {
  const held = parts.filter((part) => rolledParts(by[0]).includes(part));
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
 * @returns `tables`: SQL of `chosen` (visits) and `happened` (events), to follow WITH; `sums`: SQL for partial sums from them.
 */
export function gatheredSums(scope: Scope) {
  const { facts } = readingOf(scope, [], ["visits"]);
  const gathered = (rows: (source: Source) => Sql) => join(facts.map(rows), " UNION ALL ");
  const source: Source = {
    visits: { table: sql`chosen`, where: sql`true` },
    events: { table: sql`happened`, where: sql`true` },
  };
  const chosen = gathered(({ visits }) => sql`SELECT fact.* FROM visit AS fact WHERE ${visits.where}`);
  const happened = gathered(
    ({ events }) => sql`
      SELECT fact.day, fact.visitor_id, fact.visit_id, fact.page, fact.name, fact.type, fact.engagement_ms, fact.scroll
      FROM event AS fact WHERE ${events.where}`,
  );
  return {
    tables: sql`chosen AS MATERIALIZED (SELECT fact.*, ${ALONE} FROM (${chosen}) AS fact), happened AS MATERIALIZED (${happened})`,
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
function readingOf(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[], byDay = false): Reading {
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

/** The sums of these parts; the others are 0, as in partial sums of facts. */
const rolledSums = (parts: readonly Part[]): Sql => {
  const people = ["visitors", "visits"] as const;
  const columns: [readonly Part[], string[]][] = [
    [people, ["visitors"]],
    [["visits"], ["visits", "bounces", "duration_ms"]],
    [
      ["counts", "events"],
      ["pageviews", "events"],
    ],
    [["events"], ["engagement_ms", "engaged"]],
    [["scrolls"], ["scroll", "scrolled"]],
  ];
  const sums = columns.flatMap(([of, names]) =>
    names.map((name) => (of.some((part) => parts.includes(part)) ? `sum(${name})::BIGINT AS ${name}` : `0 AS ${name}`)),
  );
  return raw(sums.join(", "));
};

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
  const open = factsOf(within({ start, end }), sql`fact.day > (SELECT rolled_until FROM state)`);
  const edges = [
    { start: scope.range.start, end: start },
    { start: end, end: scope.range.end },
  ].filter((edge) => edge.start < edge.end);
  return [open, ...edges.map((edge) => factsOf(within(edge)))];
}

/** The number of a dimension in rollup and imported sums, 0 for none; undefined if they do not have it. */
function rollupDimension(by: readonly DimensionKey[]): number | undefined {
  const [key] = by;
  if (by.length > 1) return undefined;
  return key === undefined ? 0 : ROLLED[key];
}

/** Imported sums of the whole days of a scope that have no facts; by at most one dimension. */
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
  const [rows] = await query<[Sums[]]>(
    scope,
    sql`SELECT ${ADDED_UP} FROM (${partialSums(scope, [], parts)}) AS partial`,
  );
  return rows[0] ?? NOTHING;
}
