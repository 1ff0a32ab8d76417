import type pg from "pg";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import type { StoredEvent } from "@/lib/ingest/store/facts";
import { type Db, db, Prisma, reports } from "@/lib/platform/db";

/** On which days people were on sites that know them again within a month. Nothing leads from there to visits or events. */

/**
 * Writes on which days people were there, in the transaction of their events. The salt is held: of a site that ends it in
 * this moment, either nothing is written, or what was is destroyed with the rest.
 */
export function insertReturningVisitors(kept: readonly StoredEvent[]): pg.QueryConfig[] {
  const rows = kept.flatMap(({ hit, visit }) =>
    hit.returningVisitor ? [{ ...hit.returningVisitor, hit, visit }] : [],
  );
  if (rows.length === 0) return [];
  // In one order everywhere, so that writers of the same rows wait for each other but never in a circle.
  const keyOf = ({ visit, who, day }: (typeof rows)[number]) => `${visit.siteId}/${who}/${day}`;
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return [
    {
      name: "insert-returners",
      text: INSERT_RETURNERS,
      values: [
        rows.map(({ visit }) => visit.siteId),
        rows.map(({ month }) => month),
        rows.map(({ day }) => day),
        rows.map(({ who }) => who),
        rows.map(({ visit }) => visit.referrer),
        rows.map(({ visit }) => visit.campaign),
        rows.map(({ visit }) => visit.place),
        rows.map(({ visit }) => visit.agent),
        rows.map(({ visit }) => TRAFFIC_CLASSES[visit.traffic]),
      ],
    },
  ];
}

const INSERT_RETURNERS = `
  WITH held AS (
    SELECT site_id, month FROM site_month_salt
    WHERE (site_id, month) IN (SELECT * FROM unnest($1::int[], $2::date[])) ORDER BY site_id, month FOR KEY SHARE)
  INSERT INTO facts.returning_visitor (site_id, month, day, who, referrer, campaign, place, agent, traffic)
  SELECT row.* FROM unnest($1::int[], $2::date[], $3::date[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::smallint[])
    AS row(site_id, month, day, who, referrer, campaign, place, agent, traffic)
  JOIN held USING (site_id, month)
  ON CONFLICT DO NOTHING`;

/** Deletes rows of a site that does not know people again any more. @returns how many; at most `atOnce`. */
export const deleteReturningVisitors = (siteId: number, atOnce: number): Promise<number> =>
  db().$executeRaw`
    DELETE FROM facts.returning_visitor WHERE ctid = ANY(ARRAY(
      SELECT fact.ctid FROM facts.returning_visitor AS fact
      WHERE fact.site_id = ${siteId} AND NOT EXISTS (SELECT FROM site WHERE id = ${siteId} AND retention_salt)
      LIMIT ${atOnce}))`;

/** Deletes all rows of a site that does not know people again any more, within a transaction. */
export const deleteAllReturningVisitors = (on: Db, siteId: number): Promise<number> => on.$executeRaw`
  DELETE FROM facts.returning_visitor
  WHERE site_id = ${siteId} AND NOT (SELECT retention_salt FROM site WHERE id = ${siteId})`;

/** The sites that do not know people again any more, and still have rows. */
export async function sitesWithReturningVisitorsLeft(): Promise<number[]> {
  const sites = await db().$queryRaw<{ id: number }[]>`
    SELECT id FROM site
    WHERE NOT retention_salt AND EXISTS (SELECT FROM facts.returning_visitor WHERE site_id = site.id)`;
  return sites.map(({ id }) => id);
}

/** People who were there first in one bucket of days (-1: before all of them), and again in another. */
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
 * Counts people by the buckets of days in which they were there. Somebody is one person per month.
 *
 * @param chosen a condition on `fact`, which the first day of a person has to meet.
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
        AND fact.day <= ${days.last}::date ${classes} GROUP BY fact.month, fact.who)
    SELECT places[1] - 1 AS cohort, place - 1 AS bucket, count(*)::int AS people FROM person, unnest(places) AS place
    WHERE places[cardinality(places)] > 0 AND (places[1] = 0 OR chosen) GROUP BY 1, 2`;
}

/** Rows that one statement destroys: none holds what writers wait for, nor for long, however many rows a site has. */
const FORGOTTEN_AT_ONCE = 5_000;

/**
 * Destroys what a site knows of who came back, once it has ended that: portion by portion, each committed by itself. Stops
 * when the site chooses it again meanwhile, which begins with nothing.
 */
export async function eraseReturningVisitors(siteId: number, atOnce = FORGOTTEN_AT_ONCE): Promise<void> {
  let forgotten = 1;
  while (forgotten > 0) {
    forgotten = await deleteReturningVisitors(siteId, atOnce);
  }
}

/** Goes on where a process that destroyed what a site knew was ended itself. */
export async function eraseLeftoverReturningVisitors(): Promise<void> {
  for (const siteId of await sitesWithReturningVisitorsLeft()) await eraseReturningVisitors(siteId);
}
