import { isAmong } from "@/lib/analytics/among";
import type { DimensionKey } from "@/lib/analytics/dimensions";
import { KEYS, type Part } from "@/lib/analytics/partials";
import type { Scope } from "@/lib/analytics/question";
import { source } from "@/lib/analytics/sources";
import type { Sums } from "@/lib/analytics/sums";
import { Prisma, reports } from "@/lib/db";

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
  /** SQL for rows of partial sums, some at least, where they are known already. */
  rows?: readonly Prisma.Sql[] | undefined;
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
  { by, parts, order, having = ANYTHING, limit, offset = 0, among, rows: known }: Grouping,
): Promise<Group[]> {
  const keys = Prisma.join(by.map((_, index) => Prisma.sql`${KEYS[index]}`));
  const asked = among ? Prisma.sql`AND ${isAmong(KEYS.slice(0, by.length), among)}` : Prisma.empty;
  const rows = known ? Prisma.join([...known], " UNION ALL ") : await source(scope, by, parts);
  return reports().$queryRaw`
    SELECT ARRAY[${keys}] AS values, ${ADDED_UP} FROM (${rows}) AS partial
    GROUP BY ${keys} HAVING (${having}) ${asked}
    ORDER BY ${order}, ${keys} LIMIT ${limit} OFFSET ${offset}`;
}

const ANYTHING = Prisma.sql`sum(visits) > 0 OR sum(pageviews) > 0 OR sum(events) > 0 OR sum(scrolled) > 0`;
export const ADDED_UP = Prisma.sql`
  sum(visitors)::int AS visitors, sum(visits)::int AS visits, sum(bounces)::int AS bounces,
  sum("durationMs")::float8 AS "durationMs", sum(pageviews)::int AS pageviews, sum(events)::int AS events,
  sum("engagementMs")::float8 AS "engagementMs", sum(engaged)::int AS engaged,
  sum(scroll)::float8 AS scroll, sum(scrolled)::int AS scrolled`;
