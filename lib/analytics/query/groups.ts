import type { BreakdownKey } from "@/lib/analytics/query/dimensions";
import type { Sums } from "@/lib/analytics/query/metrics";
import { queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { partialSums } from "@/lib/analytics/query/scope-sums";
import { ADDED_UP, KEYS, type Part } from "@/lib/analytics/query/sums-sql";
import { empty, join, type Sql, sql } from "@/lib/platform/sql";

export interface Grouping {
  /** One to five dimensions. */
  by: readonly BreakdownKey[];
  /** None where only further sums are asked. */
  parts: readonly Part[];
  /** Further sums of the same keys. */
  further?: FurtherSums | undefined;
  /** SQL over the sums by which rows are ordered; ties are broken by their values. */
  order: Sql;
  /** SQL over the sums that a row must meet; it has anything at all when not given. */
  having?: Sql;
  limit: number;
  offset?: number;
  /** Only the rows of these values. */
  among?: readonly Group["values"][];
}

/** Sums besides those of visits and events. */
export interface FurtherSums {
  /** SQL for rows of partial sums with the keys, and with those of visits and events, which are 0. */
  rows: Sql;
  /** SQL for the sums as columns of a row. */
  columns: Sql;
  /** SQL over the sums for whether a row has any of them. */
  having: Sql;
}

export interface Group extends Sums {
  /** A value of each dimension; null where it is unknown or there is none. */
  values: (string | null)[];
}

/**
 * The sums of each combination of values. By visit dimensions, visits count where they began, with what each one is. By a
 * dimension of events, visitors and visits are those of the matching events, where these happened.
 */
export async function groups(scope: Scope, grouping: Grouping): Promise<Group[]> {
  const [rows] = await queryCopy<[Group[]]>(scope, groupsSql(scope, grouping));
  return rows;
}

export function groupsSql(scope: Scope, grouping: Grouping): Sql {
  const { by, parts, order, having = ANYTHING, limit, offset = 0, among, further } = grouping;
  const keys = join(by.map((_, index) => KEYS[index] as Sql));
  const rows = [
    ...(parts.length > 0 ? [sql`SELECT * FROM (${partialSums(scope, by, parts)}) AS sums`] : []),
    ...(further ? [further.rows] : []),
  ];
  const together = join(rows, " UNION ALL BY NAME ");
  const chosen = among ? sql`AND ${isAmong(KEYS.slice(0, by.length), among)}` : empty;
  return sql`
    SELECT [${keys}] AS values, ${ADDED_UP} ${further ? sql`, ${further.columns}` : empty}
    FROM (${together}) AS partial
    GROUP BY ${keys} HAVING (${having} ${further ? sql`OR ${further.having}` : empty}) ${chosen}
    ORDER BY ${order}, ${join(by.map((_, index) => sql`${KEYS[index]} NULLS LAST`))} LIMIT ${limit} OFFSET ${offset}`;
}

/** SQL for whether the values of columns are one of these combinations; null is a value like others. */
export function isAmong(columns: readonly Sql[], rows: readonly (readonly (string | null)[])[]): Sql {
  if (rows.length === 0) return sql`false`;
  const same = (row: readonly (string | null)[]) =>
    join(
      columns.map((column, index) => sql`${column} IS NOT DISTINCT FROM ${row[index] ?? null}`),
      " AND ",
    );
  return sql`(${join(
    rows.map((row) => sql`(${same(row)})`),
    " OR ",
  )})`;
}

const ANYTHING = sql`sum(visitors) > 0 OR sum(visits) > 0 OR sum(pageviews) > 0 OR sum(events) > 0 OR sum(scrolled) > 0`;
