import type pg from "pg";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import type { StoredEvent } from "@/lib/ingest/store/facts";
import { type Db, db, Prisma, reports } from "@/lib/platform/db";

/**
 * The days on which visitors returned, for sites that count them within a month. The rows cannot be linked to visits or
 * events.
 */

/**
 * Returns the statement that stores the visitors' days, in the transaction of their events. It locks the salt: if the
 * site switches this off meanwhile, nothing is written, or it is deleted with the rest.
 */
export function insertReturningVisitors(events: readonly StoredEvent[]): pg.QueryConfig[] {
  const rows = events.flatMap(({ event, visit }) =>
    event.returningVisitor ? [{ ...event.returningVisitor, event, visit }] : [],
  );
  if (rows.length === 0) return [];
  // Sorted in the same order everywhere, so that writers of the same rows cannot deadlock.
  const keyOf = ({ visit, pseudonym, day }: (typeof rows)[number]) => `${visit.siteId}/${pseudonym}/${day}`;
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return [
    {
      name: "insert-returning-visitors",
      text: INSERT_RETURNING_VISITORS,
      values: [
        rows.map(({ visit }) => visit.siteId),
        rows.map(({ month }) => month),
        rows.map(({ day }) => day),
        rows.map(({ pseudonym }) => pseudonym),
        rows.map(({ visit }) => visit.referrer),
        rows.map(({ visit }) => visit.campaign),
        rows.map(({ visit }) => visit.place),
        rows.map(({ visit }) => visit.agent),
        rows.map(({ visit }) => TRAFFIC_CLASSES[visit.traffic]),
      ],
    },
  ];
}

const INSERT_RETURNING_VISITORS = `
  WITH held AS (
    SELECT site_id, month FROM site_month_salt
    WHERE (site_id, month) IN (SELECT * FROM unnest($1::int[], $2::date[])) ORDER BY site_id, month FOR KEY SHARE)
  INSERT INTO facts.returning_visitor (site_id, month, day, pseudonym, referrer, campaign, place, agent, traffic)
  SELECT row.* FROM unnest($1::int[], $2::date[], $3::date[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::smallint[])
    AS row(site_id, month, day, pseudonym, referrer, campaign, place, agent, traffic)
  JOIN held USING (site_id, month)
  ON CONFLICT DO NOTHING`;

/** Deletes rows of a site that no longer counts returning visitors. @returns how many; at most `atOnce`. */
const deleteReturningVisitors = (siteId: number, atOnce: number): Promise<number> =>
  db().$executeRaw`
    DELETE FROM facts.returning_visitor WHERE ctid = ANY(ARRAY(
      SELECT fact.ctid FROM facts.returning_visitor AS fact
      WHERE fact.site_id = ${siteId} AND NOT EXISTS (SELECT FROM site WHERE id = ${siteId} AND retention_salt)
      LIMIT ${atOnce}))`;

/** Deletes all rows of a site that no longer counts returning visitors, within a transaction. */
export const deleteAllReturningVisitors = (on: Db, siteId: number): Promise<number> => on.$executeRaw`
  DELETE FROM facts.returning_visitor
  WHERE site_id = ${siteId} AND NOT (SELECT retention_salt FROM site WHERE id = ${siteId})`;

/** Returns the sites that no longer count returning visitors and still have rows. */
async function sitesWithReturningVisitorsLeft(): Promise<number[]> {
  const sites = await db().$queryRaw<{ id: number }[]>`
    SELECT id FROM site
    WHERE NOT retention_salt AND EXISTS (SELECT FROM facts.returning_visitor WHERE site_id = site.id)`;
  return sites.map(({ id }) => id);
}

/** Visitors first seen in one bucket of days (-1: before all buckets), and seen again in another. */
export interface ReturningCount {
  cohort: number;
  bucket: number;
  people: number;
}

interface Days {
  /** The first days of the buckets, as ISO dates. */
  starts: readonly string[];
  /** The first days of the first and of the last month. */
  months: readonly [string, string];
  last: string;
}

/**
 * Counts visitors by the buckets of days in which they were active. A person counts once per month.
 *
 * @param chosen SQL condition on `fact` that the first day of a visitor must meet.
 */
export function countReturning(siteId: number, days: Days, traffic: Traffic, chosen: Prisma.Sql) {
  const classes =
    traffic === "all" ? Prisma.empty : Prisma.sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}::smallint`;
  const [first, last] = days.months;
  return reports().$queryRaw<ReturningCount[]>`
    WITH person AS (
      SELECT array_agg(DISTINCT width_bucket(fact.day, ${days.starts}::date[])) AS places,
             (array_agg((${chosen}) ORDER BY fact.day))[1] AS chosen
      FROM facts.returning_visitor AS fact
      WHERE fact.site_id = ${siteId} AND fact.month BETWEEN ${first}::date AND ${last}::date
        AND fact.day <= ${days.last}::date ${classes} GROUP BY fact.month, fact.pseudonym)
    SELECT places[1] - 1 AS cohort, place - 1 AS bucket, count(*)::int AS people FROM person, unnest(places) AS place
    WHERE places[cardinality(places)] > 0 AND (places[1] = 0 OR chosen) GROUP BY 1, 2`;
}

/** Rows deleted by one statement: few enough to hold no lock for long, however many rows a site has. */
const DELETE_BATCH_ROWS = 5_000;

/**
 * Deletes a site's returning visitors after it has switched this off, in batches that are committed one by one. Stops
 * when the site switches it on again, which starts without any rows.
 */
export async function eraseReturningVisitors(siteId: number, atOnce = DELETE_BATCH_ROWS): Promise<void> {
  let deleted = 1;
  while (deleted > 0) {
    deleted = await deleteReturningVisitors(siteId, atOnce);
  }
}

/** Finishes deletions that were interrupted by the end of a process. */
export async function eraseLeftoverReturningVisitors(): Promise<void> {
  for (const siteId of await sitesWithReturningVisitorsLeft()) await eraseReturningVisitors(siteId);
}
