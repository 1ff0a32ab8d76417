import type pg from "pg";
import { ingestPool, inIngestTransaction } from "@/lib/platform/pool";
import { reports } from "@/lib/platform/reports";
import { type Sql, sql } from "@/lib/platform/sql";

/**
 * The numbers of a site's facts. A transaction that writes, changes or deletes facts takes the next numbers, and holds the
 * site's row until it ends. So whoever reads a number of a site can read all smaller ones: copies of facts and readers of
 * events ask for the numbers after the last one they have, whatever clocks, processes and retries do.
 *
 * The row is the last lock that a transaction takes: writers of the same site wait for it.
 */

/** Returns the statement that takes the next numbers of sites, as many for each as it has facts. */
export function takeNumbers(facts: ReadonlyMap<number, number>): pg.QueryConfig {
  // In the same order everywhere, so that two transactions cannot deadlock.
  const sites = [...facts].sort(([one], [other]) => one - other);
  const arrayOf = (index: 0 | 1) => `{${sites.map((site) => site[index]).join(",")}}`;
  return { name: "take-numbers", text: TAKE, values: [arrayOf(0), arrayOf(1)] };
}

const TAKE = `
  INSERT INTO facts.site_sequence AS taken (site_id, last) SELECT * FROM unnest($1::int[], $2::bigint[])
  ON CONFLICT (site_id) DO UPDATE SET last = taken.last + excluded.last`;

/** Returns the last number of a site; 0 before its first fact. */
export async function lastNumberOf(siteId: number): Promise<number> {
  const {
    rows: [row],
  } = await reports().query<{ last: number }>(sql`
    SELECT last::float8 AS last FROM facts.site_sequence WHERE site_id = ${siteId}`);
  return row?.last ?? 0;
}

/**
 * Reports read copies of facts (lib/analytics/engine). A copy finds new events by their numbers, and the visits that
 * they belong to. Code that changes or deletes facts, or writes a visit without an event, must record, in its own
 * transaction and after its other statements, the time span that copies have to read again.
 */
interface ChangedSpan {
  siteId: number;
  /** null: from the beginning. */
  start: Date | null;
  /** Exclusive; null: no end. An empty span means that only dictionaries or imported sums changed. */
  end: Date | null;
}

/** Returns the statement that records a changed span. */
export const changedFacts = ({ siteId, start, end }: ChangedSpan): Sql => sql`
  WITH taken AS (
    INSERT INTO facts.site_sequence AS sequence (site_id, last) VALUES (${siteId}::int, 1)
    ON CONFLICT (site_id) DO UPDATE SET last = sequence.last + 1 RETURNING site_id, last)
  INSERT INTO facts.change (site_id, seq, start, "end")
  SELECT site_id, last, ${start?.toISOString() ?? "-infinity"}::timestamptz, ${end?.toISOString() ?? "infinity"}::timestamptz
  FROM taken`;

const RETENTION_DAYS = 30;

/** Deletes old spans. A copy that has not read them is built again. */
export async function deleteOldChanges(): Promise<void> {
  const old = `at < now() - interval '${RETENTION_DAYS} days'`;
  const { rows } = await ingestPool().query(`SELECT DISTINCT site_id FROM facts.change WHERE ${old}`);
  for (const { site_id } of rows)
    await inIngestTransaction(async (client) => {
      const deleted = await client.query(
        `WITH deleted AS (DELETE FROM facts.change WHERE site_id = $1 AND ${old} RETURNING seq)
         SELECT max(seq) AS seq FROM deleted`,
        [site_id],
      );
      await client.query(
        "UPDATE facts.site_sequence SET changes_deleted_to = greatest(changes_deleted_to, $2) WHERE site_id = $1",
        [site_id, deleted.rows[0].seq],
      );
    });
}
