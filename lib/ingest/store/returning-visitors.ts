import type pg from "pg";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import type { StoredEvent } from "@/lib/ingest/store/facts";
import { controlPool, ingestPool, inIngestTransaction } from "@/lib/platform/pool";
import { reports } from "@/lib/platform/reports";
import { empty, type Queries, type Sql, sql } from "@/lib/platform/sql";

/**
 * The days on which visitors returned, for sites that count them within a month. The rows cannot be linked to visits or
 * events.
 */

/** The months of sites whose salts a transaction holds. */
export type HeldSalts = ReadonlySet<string>;
const saltOf = (siteId: number, month: string): string => `${siteId}/${month}`;

/**
 * Locks the salts of the events until the transaction ends: if the site switches this off meanwhile, nothing is written,
 * or it is deleted with the rest.
 *
 * @returns those that still exist.
 */
export async function holdSalts(client: pg.PoolClient, events: readonly DecidedEvent[]): Promise<HeldSalts> {
  const wanted = new Map<string, { siteId: number; month: string }>();
  for (const { siteId, returningVisitor } of events)
    if (returningVisitor) wanted.set(saltOf(siteId, returningVisitor.month), { siteId, month: returningVisitor.month });
  if (wanted.size === 0) return new Set();
  const salts = [...wanted.values()];
  const { rows } = await client.query({
    name: "hold-salts",
    text: HOLD_SALTS,
    values: [salts.map(({ siteId }) => siteId), salts.map(({ month }) => month)],
  });
  return new Set(rows.map((row) => saltOf(row.site_id, row.month)));
}

const HOLD_SALTS = `
  SELECT site_id, month::text FROM site_month_salt
  WHERE (site_id, month) IN (SELECT * FROM unnest($1::int[], $2::date[])) ORDER BY site_id, month FOR KEY SHARE`;

/** Returns the statement that stores the visitors' days, in the transaction of their events, which holds their salts. */
export function insertReturningVisitors(events: readonly StoredEvent[], held: HeldSalts): pg.QueryConfig[] {
  const rows = events.flatMap(({ event, visit }) =>
    event.returningVisitor && held.has(saltOf(visit.siteId, event.returningVisitor.month))
      ? [{ ...event.returningVisitor, event, visit }]
      : [],
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
  INSERT INTO facts.returning_visitor (site_id, month, day, pseudonym, referrer, campaign, place, agent, traffic)
  SELECT * FROM unnest($1::int[], $2::date[], $3::date[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::smallint[])
  ON CONFLICT DO NOTHING`;

/**
 * Deletes rows of a site that no longer counts returning visitors. Its row is locked, so that the site does not switch
 * this on meanwhile.
 *
 * @returns how many; at most `atOnce`.
 */
const deleteReturningVisitors = (siteId: number, atOnce: number): Promise<number> =>
  inIngestTransaction(async (client) => {
    if (await countsReturningVisitors(client, siteId, sql`FOR SHARE`)) return 0;
    const { rowCount } = await client.query(sql`
      DELETE FROM facts.returning_visitor WHERE site_id = ${siteId} AND ctid = ANY(ARRAY(
        SELECT ctid FROM facts.returning_visitor WHERE site_id = ${siteId} LIMIT ${atOnce}))`);
    return rowCount ?? 0;
  });

/** Deletes all rows of a site that no longer counts returning visitors, within a transaction. */
export async function deleteAllReturningVisitors(on: Queries, siteId: number): Promise<void> {
  if (await countsReturningVisitors(on, siteId)) return;
  await on.query(sql`DELETE FROM facts.returning_visitor WHERE site_id = ${siteId}`);
}

async function countsReturningVisitors(on: Queries, siteId: number, lock = empty): Promise<boolean> {
  const { rows } = await on.query(sql`SELECT 1 FROM site WHERE id = ${siteId} AND retention_salt ${lock}`);
  return rows.length > 0;
}

/** Returns the sites that no longer count returning visitors and still have rows. */
async function sitesWithReturningVisitorsLeft(): Promise<number[]> {
  const stored = await ingestPool().query(sql`SELECT DISTINCT site_id FROM facts.returning_visitor`);
  const sites = await controlPool().query(sql`
    SELECT id FROM site WHERE id = ANY(${stored.rows.map(({ site_id }) => site_id)}::int[]) AND NOT retention_salt`);
  return sites.rows.map(({ id }) => id);
}

/** Visitors first seen in one bucket of days (-1: before all buckets), and seen again in another. */
interface ReturningCount {
  cohort: number;
  bucket: number;
  people: number;
}

interface CohortDays {
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
export async function countReturning(
  siteId: number,
  days: CohortDays,
  traffic: Traffic,
  chosen: Sql,
): Promise<ReturningCount[]> {
  const classes = traffic === "all" ? empty : sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}::smallint`;
  const [first, last] = days.months;
  const { rows } = await reports().query<ReturningCount>(sql`
    WITH person AS (
      SELECT array_agg(DISTINCT width_bucket(fact.day, ${days.starts}::date[])) AS places,
             (array_agg((${chosen}) ORDER BY fact.day))[1] AS chosen
      FROM facts.returning_visitor AS fact
      WHERE fact.site_id = ${siteId} AND fact.month BETWEEN ${first}::date AND ${last}::date
        AND fact.day <= ${days.last}::date ${classes} GROUP BY fact.month, fact.pseudonym)
    SELECT places[1] - 1 AS cohort, place - 1 AS bucket, count(*)::int AS people FROM person, unnest(places) AS place
    WHERE places[cardinality(places)] > 0 AND (places[1] = 0 OR chosen) GROUP BY 1, 2`);
  return rows;
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
