import { empty, join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, ROLLED } from "@/lib/analytics/query/dimensions";
import { BOUNCED, VISITOR, VISITORS } from "@/lib/analytics/query/sums-sql";

/** Counts of visits and visitors by many dimensions of visits at once. */

/** All events of a visit have its visitor, source, place and agent. */
const OF_VISIT = ["visitor_id", "referrer", "campaign", "place", "agent"];

/** SQL for a table of visits with their visitors by local day. @param events SQL that selects events with a visitor, called `fact`. */
export const presentVisits = (events: Sql): Sql => sql`
  SELECT fact.day, fact.visit_id, ${join(OF_VISIT.map((column) => raw(`any_value(fact.${column}) AS ${column}`)))}
  FROM ${events} GROUP BY fact.day, fact.visit_id`;

interface Counting {
  /** SQL for a table with the visits of `present`. Who is present by a visit that was deleted is in no row. */
  whole: Sql;
  /** SQL for a table `(id, …)` of a dictionary with a column for each of these dimensions, named as it; no value is null. */
  values(dictionary: string, keys: readonly DimensionKey[]): Sql;
  /** Whether counts are per local day, with a column `day`. */
  byDay?: boolean;
  /** Further sums of the columns `began`, `bounced` and `duration_ms`, each after a comma. */
  sums?: Sql;
}

/**
 * SQL for a table `counted(dimension, value, visitors, visits)`, to follow WITH after `chosen`, visits, and `present`, rows of
 * `presentVisits` with `ALONE`. It passes once over both: rows of the one count visits, rows of the other visitors.
 * Visits without a page are in no row by entry and exit page.
 */
export function countedByValues(
  keys: readonly DimensionKey[],
  { whole, values, byDay = false, sums = empty }: Counting,
): Sql {
  const day = byDay ? raw("day, ") : empty;
  const columns = join(keys.map((key) => raw(key)));
  const ids = [...new Set(keys.map((key) => dimensionOf(key).fact))];
  const tables = ids.map((id) => {
    const those = keys.filter((key) => dimensionOf(key).fact === id);
    const alias = raw(id.replace("fact.", "of_"));
    return sql`JOIN ${values(dimensionOf(those[0] as DimensionKey).dictionary as string, those)} AS ${alias} ON ${alias}.id = ${raw(id)} `;
  });
  const value = (key: DimensionKey) => {
    const column = raw(`${dimensionOf(key).fact.replace("fact.", "of_")}.${key}`);
    return ONLY_ON_VISITS.has(key) ? sql`CASE WHEN fact.pageviews > 0 THEN ${column} END AS ${raw(key)}` : column;
  };
  const numbers = keys.map(
    (key, index) => sql`(${2 ** keys.length - 1 - 2 ** (keys.length - 1 - index)}, ${ROLLED[key] as number})`,
  );
  return sql`
    counting AS (
      SELECT day, visitor_id, alone, false AS began, false AS bounced, NULL::BIGINT AS duration_ms, entry_page, exit_page, pageviews,
        referrer, place, agent, campaign
      FROM present JOIN (SELECT visit_id, entry_page, exit_page, pageviews FROM ${whole} AS visit) AS whole USING (visit_id)
      UNION ALL
      SELECT day, NULL, NULL, true, ${BOUNCED}, duration_ms, entry_page, exit_page, pageviews, referrer, place, agent, campaign
      FROM chosen AS fact),
    visited AS (
      SELECT fact.day, ${VISITOR} AS visitor, fact.alone, fact.began, fact.bounced, fact.duration_ms, ${join(keys.map(value))}
      FROM counting AS fact ${join(tables, "")}),
    by_value AS (
      -- GROUPING has a bit 1 for each column that a row is not grouped by.
      SELECT GROUPING(${columns}) AS which, ${day}coalesce(${columns}) AS value, ${VISITORS} AS visitors,
        count(*) FILTER (WHERE began) AS visits ${sums}
      FROM visited GROUP BY GROUPING SETS (${join(keys.map((key) => sql`(${day}${raw(key)})`))})),
    counted AS (
      SELECT by_value.* EXCLUDE (which), dimension FROM by_value JOIN (VALUES ${join(numbers)}) AS sets(which, dimension) USING (which)
      WHERE value IS NOT NULL)`;
}
