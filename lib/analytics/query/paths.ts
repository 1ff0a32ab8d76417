import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { VIEWS } from "@/lib/analytics/query/event-types";
import { raw, type Sql, sql } from "@/lib/platform/sql";

/**
 * Paths of visits: their pages in order, with consecutive repeats collapsed. A step is a number made of the path of a
 * page, which hosts share, or of the name of an event; 0 is none.
 */

/** How many steps of a path are shown. */
export const MOST_STEPS = 10;

/** SQL for tables `(id, step)` of pages and of names of events. */
export const PAGE_STEPS = sql`(SELECT id, CASE WHEN path <> '' THEN hash(path) ELSE 0 END AS step FROM page)`;
export const NAME_STEPS = sql`(SELECT id, CASE WHEN name <> '' THEN hash('event', name) ELSE 0 END AS step FROM name)`;

/** SQL for the path of a list of steps, as columns `steps` and `ended`: whether all of it is shown. */
export const shownPath = (steps: Sql): Sql => {
  // Pairs by list_zip are fast, unlike a lambda that refers to the list.
  const collapsed = sql`[pair[2] FOR pair IN list_zip(list_prepend(0, ${steps}), ${steps}) IF pair[1] <> pair[2]]`;
  return sql`${collapsed}[:${raw(`${MOST_STEPS}`)}] AS steps, len(${collapsed}) <= ${MOST_STEPS} AS ended`;
};

/** The statements that fill the paths of the visits of local days again. Visits without a page have none. */
export const storePaths = (first: number, last: number): Sql[] => [
  sql`DELETE FROM visit_path WHERE day BETWEEN ${first} AND ${last}`,
  sql`INSERT INTO visit_path
    SELECT started, day, visit_id, traffic, ${shownPath(sql`steps`)} FROM (
      SELECT started, day, visit_id, traffic, [one.step FOR one IN list_sort(seen)] AS steps FROM (
        SELECT visit.started, visit.day, visit.visit_id, visit.traffic, list({ts: fact.ts, page: fact.page, step: pages.step}) AS seen
        FROM event AS fact JOIN visit ON visit.visit_id = fact.visit_id JOIN ${PAGE_STEPS} AS pages ON pages.id = fact.page
        WHERE visit.day BETWEEN ${first} AND ${last} AND fact.day BETWEEN ${first - 1} AND ${last + 3}
          AND ${ofTypes(VIEWS)} AND pages.step <> 0
        GROUP BY ALL))
    ORDER BY day`,
];
