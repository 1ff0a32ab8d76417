import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, ROLLED } from "@/lib/analytics/query/dimensions";
import { BOUNCED, VISITOR } from "@/lib/analytics/query/sums-sql";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

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
}

/**
 * SQL for a table `counted(dimension, value, visitors, visits, bounces, duration_ms)`, to follow WITH after `chosen`, visits,
 * and `present`, rows of `presentVisits` with `ALONE`. Rows of the one count visits, rows of the other visitors. Visits without
 * a page are in no row by entry and exit page.
 *
 * Most rows are counted by the ids of dictionaries, because few ids are left to look values up for. Only visitors with
 * several visits on a day need the value of each visit: two ids of theirs may have the same one.
 */
export function countedByValues(keys: readonly DimensionKey[], { whole, values, byDay = false }: Counting): Sql {
  const day = byDay ? raw("day, ") : empty;
  const columnOf = (key: DimensionKey) => dimensionOf(key).fact.replace("fact.", "");
  const ids = [...new Set(keys.map(columnOf))];
  const idList = join(ids.map((id) => raw(id)));
  const ofVisit = join(
    ids.map((id) =>
      raw(ONLY_ON_VISITS.has(id as DimensionKey) ? `CASE WHEN pageviews > 0 THEN ${id} END AS ${id}` : id),
    ),
  );
  /** The rows of a table once for each dimension, with its value, found by the id in a column. */
  const valued = (id: string, table: Sql, column: string, counts: Sql) => {
    const those = keys.filter((key) => columnOf(key) === id);
    const dictionary = dimensionOf(those[0] as DimensionKey).dictionary as string;
    const numbers = join(those.map((key) => sql`${ROLLED[key] as number}`));
    return sql`
      SELECT ${day}unnest([${numbers}]) AS dimension, unnest([${join(those.map((key) => raw(`words.${key}`)))}]) AS value, ${counts}
      FROM ${table} AS found JOIN ${values(dictionary, those)} AS words ON words.id = found.${raw(column)}`;
  };
  // GROUPING has a bit 1 for each column that a row is not grouped by.
  const setOf = (index: number) => 2 ** ids.length - 1 - 2 ** (ids.length - 1 - index);
  const counts = raw("visitors, visits, bounces, duration_ms");
  const byId = ids.map((id, index) => valued(id, sql`(FROM by_id WHERE which = ${setOf(index)})`, "id", counts));
  const shared = ids.map((id) => valued(id, sql`shared`, id, raw("visitor")));
  return sql`
    counting AS (
      SELECT day, visitor_id, alone, false AS began, false AS bounced, NULL::BIGINT AS duration_ms, ${ofVisit}
      FROM present JOIN (
        SELECT visit_id, entry_page, exit_page, pageviews FROM ${whole} AS visit
        WHERE visit_id IN (SELECT visit_id FROM present)) AS whole USING (visit_id)
      UNION ALL
      SELECT day, NULL, false, true, ${BOUNCED}, duration_ms, ${ofVisit} FROM chosen AS fact),
    by_id AS (
      SELECT GROUPING(${idList}) AS which, ${day}coalesce(${idList}) AS id, count(*) FILTER (WHERE alone) AS visitors,
        count(*) FILTER (WHERE began) AS visits, count(*) FILTER (WHERE bounced) AS bounces, coalesce(sum(duration_ms), 0) AS duration_ms
      FROM counting WHERE began OR alone GROUP BY GROUPING SETS (${join(ids.map((id) => sql`(${day}${raw(id)})`))})),
    shared AS (
      SELECT fact.day, ${VISITOR} AS visitor, ${idList} FROM counting AS fact WHERE NOT (began OR alone)),
    counted AS (
      SELECT ${day}dimension, value, sum(visitors)::BIGINT AS visitors, sum(visits)::BIGINT AS visits,
        sum(bounces)::BIGINT AS bounces, sum(duration_ms)::BIGINT AS duration_ms
      FROM (
        ${join(byId, " UNION ALL ")}
        UNION ALL
        SELECT ${day}dimension, value, count(DISTINCT visitor), 0, 0, 0 FROM (${join(shared, " UNION ALL ")}) AS each_visit
        GROUP BY ALL) AS part
      GROUP BY ALL)`;
}
