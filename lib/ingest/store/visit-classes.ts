import type pg from "pg";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import type { Verdict } from "@/lib/ingest/enrich/verdict";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import { ingestPool, inIngestTransaction } from "@/lib/platform/pool";

/** Reads what the classes of stored visits were decided by, and gives visits other classes. */

/** The edition that a version begins with; `''` is older than all, as what was stored before there were editions. */
const EDITION_OF = (version: string) =>
  `coalesce(substring(${version} FROM '^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d)?(?=:)'), '') COLLATE "C"`;

/** The sites whose visits were last decided about by an older edition, or never. */
export async function sitesClassifiedBefore(edition: string): Promise<number[]> {
  const sites = await ingestPool().query({
    text: `SELECT site.id FROM site LEFT JOIN facts.reclassified AS done ON done.site_id = site.id
           WHERE ${EDITION_OF("done.version")} < $1 ORDER BY site.id`,
    values: [edition],
  });
  return sites.rows.map(({ id }) => id);
}

/** Says which version has decided about all of a site's visits. One of a newer edition stays. */
export async function markReclassified(siteId: number, version: string): Promise<void> {
  await ingestPool().query({
    text: `INSERT INTO facts.reclassified (site_id, version) VALUES ($1, $2)
           ON CONFLICT (site_id) DO UPDATE SET version = excluded.version
           WHERE ${EDITION_OF("reclassified.version")} <= ${EDITION_OF("excluded.version")}`,
    values: [siteId, version],
  });
}

/** The verdicts of a site that an older edition has made. */
export async function verdictsBefore(siteId: number, edition: string): Promise<(Verdict & { id: number })[]> {
  const found = await ingestPool().query({
    text: `SELECT id, traffic, reason, bot, operator, purpose, verified, version FROM facts.verdict
           WHERE site_id = $1 AND version <> '(other)' AND ${EDITION_OF("version")} < $2 ORDER BY id`,
    values: [siteId, edition],
  });
  return found.rows;
}

/** The named robots among the agents of visits that are not a person's and have no verdict. */
export async function robotsWithoutVerdict(siteId: number): Promise<{ id: number; bot: string }[]> {
  const found = await ingestPool().query({
    text: `SELECT id, bot FROM facts.agent WHERE site_id = $1 AND bot <> '' AND id IN (
             SELECT agent FROM facts.visit WHERE site_id = $1 AND verdict = 0 AND traffic <> $2)`,
    values: [siteId, TRAFFIC_CLASSES.human],
  });
  return found.rows;
}

/** The referrers of a site that have an address. */
export async function referrersOf(siteId: number): Promise<{ id: number; url: string }[]> {
  const found = await ingestPool().query("SELECT id, url FROM facts.referrer WHERE site_id = $1 AND url <> ''", [
    siteId,
  ]);
  return found.rows;
}

/** What visits become: the id of their verdict, and the number of their class. */
export interface Decision {
  verdict: number;
  traffic: number;
}

/** Visits with one of these ids in a column, and what becomes of each. Those of an agent or referrer have no verdict yet. */
export interface Which {
  column: "verdict" | "agent" | "referrer";
  traffic: readonly number[];
  to: ReadonlyMap<number, Decision>;
}

/** Gives visits and their events other classes. @param chunkVisits how many visits one transaction moves. */
export async function moveVisits(siteId: number, which: Which, chunkVisits: number): Promise<void> {
  let from: Date | null = which.to.size > 0 ? new Date(0) : null;
  while (from)
    from = await inIngestTransaction((client) => moveChunk(client, siteId, which, from as Date, chunkVisits));
}

/** @returns from when on to look for the next chunk, or null when this was the last. */
async function moveChunk(client: pg.PoolClient, siteId: number, which: Which, from: Date, chunkVisits: number) {
  const where = `visit.site_id = $1 AND visit.${which.column} = ANY($2::int[]) AND visit.traffic = ANY($3::smallint[])
                 ${which.column === "verdict" ? "" : "AND visit.verdict = 0"}`;
  // Rows are locked in the order of the writer, so that the two wait for each other but never in a circle.
  const chunk = await client.query({
    text: `SELECT visit.visitor_id, visit.started, visit.visit_id, visit.traffic, visit.${which.column} AS by
           FROM facts.visit AS visit
           JOIN (SELECT visitor_id, started FROM facts.visit AS visit WHERE ${where}
                   AND started >= $4 ORDER BY started LIMIT $5) AS asked USING (visitor_id, started)
           WHERE ${where}
           ORDER BY visit.visitor_id, visit.started FOR UPDATE OF visit`,
    values: [siteId, [...which.to.keys()], which.traffic, from, chunkVisits],
  });
  if (chunk.rows.length === 0) return null;
  const times = chunk.rows.map((row) => row.started.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  await client.query({
    text: MOVE,
    values: [
      siteId,
      chunk.rows.map((row) => row.visitor_id),
      chunk.rows.map((row) => row.visit_id),
      chunk.rows.map((row) => row.traffic),
      chunk.rows.map((row) => which.to.get(row.by)?.traffic),
      chunk.rows.map((row) => which.to.get(row.by)?.verdict),
      first,
      last,
    ],
  });
  if (chunk.rows.some((row) => which.to.get(row.by)?.traffic !== row.traffic)) {
    const [start, end] = [new Date(first.getTime() - BEFORE_MS), new Date(last.getTime() + AFTER_MS)];
    await client.query(changedFacts([{ siteId, start, end }]));
  }
  return chunk.rows.length < chunkVisits ? null : last;
}

/** How far from the beginning of a visit its events may lie. */
const BEFORE_MS = 3600_000;
const AFTER_MS = 49 * 3600_000;
const FIRST_EVENT = "$7::timestamptz - interval '1 hour'";
const LAST_EVENT = "$8::timestamptz + interval '49 hours'";
/** A visit takes those of its events along that had its class; a longest visit's last event is 48 hours after its first. */
const MOVE = `
  WITH moved AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::int[])
      AS moved(visitor_id, visit_id, was, traffic, verdict)),
  events AS (
    UPDATE facts.event AS event SET traffic = moved.traffic,
      written = coalesce(event.written, facts.whole_xid(event.xmin, pg_snapshot_xmax(pg_current_snapshot())))
    FROM moved
    WHERE event.site_id = $1 AND event.visit_id = moved.visit_id AND event.traffic = moved.was
      AND event.traffic <> moved.traffic
      AND event.ts BETWEEN ${FIRST_EVENT} AND ${LAST_EVENT})
  UPDATE facts.visit AS visit SET verdict = moved.verdict, traffic = moved.traffic FROM moved
  WHERE visit.site_id = $1 AND visit.visitor_id = moved.visitor_id AND visit.visit_id = moved.visit_id
    AND visit.started >= $7 AND visit.started < $8::timestamptz + interval '1 second'`;
