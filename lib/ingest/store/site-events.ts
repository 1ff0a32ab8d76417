import { EVENT_TYPES, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";

/**
 * Queries about the last minutes or days of a site, answered by Postgres within milliseconds, without a copy of the site's
 * facts.
 */

/** Counts the human visitors with an event in the last five minutes. */
export async function countActiveVisitors(siteId: number): Promise<number> {
  const {
    rows: [now],
  } = await reports().query<{ present: number }>(sql`
    SELECT count(DISTINCT visitor_id)::int AS present FROM facts.event
    WHERE site_id = ${siteId} AND ts > now() - interval '5 minutes' AND traffic = ${TRAFFIC_CLASSES.human}::smallint`);
  return now?.present ?? 0;
}

/** Returns the time of any pageview of the page since `since`, or null. */
export async function pageviewSince(
  siteId: number,
  { hostname, path }: { hostname: string; path: string },
  since: Date,
): Promise<Date | null> {
  const {
    rows: [row],
  } = await reports().query<{ ts: Date }>(sql`
    SELECT ts FROM facts.event
    WHERE site_id = ${siteId} AND ts >= ${since} AND type = ${EVENT_TYPES.pageview}::smallint
      AND page = (SELECT id FROM facts.page WHERE site_id = ${siteId} AND hostname = ${hostname}
        AND facts.digest(path) = facts.digest(${path}) AND path = ${path} AND NOT retired)
    LIMIT 1`);
  return row?.ts ?? null;
}

/** Returns whether any event since `since` named a user. */
export async function readUsesUserIds(siteId: number, since: Date): Promise<boolean> {
  const {
    rows: [row],
  } = await reports().query<{ found: boolean }>(sql`
    SELECT EXISTS (
      SELECT 1 FROM facts.event WHERE site_id = ${siteId} AND ts >= ${since} AND user_hash IS NOT NULL
    ) AS found`);
  return row?.found ?? false;
}

/** The times of a site's first and last events, null where it has none, and their number. */

export async function firstEventAt(siteId: number): Promise<Date | null> {
  const {
    rows: [first],
  } = await reports().query<{ ts: Date }>(sql`
    SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts LIMIT 1`);
  return first?.ts ?? null;
}

export async function lastEventAt(siteId: number): Promise<Date | null> {
  const {
    rows: [last],
  } = await reports().query<{ ts: Date }>(sql`
    SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts DESC LIMIT 1`);
  return last?.ts ?? null;
}

/** Events are counted up to this number, so that a count of any site is answered at once. */
export const MOST_COUNTED = 1_000_000;

/** Returns the number of a site's events, all or before a moment; at most one more than `MOST_COUNTED`. */
export async function countEvents(siteId: number, before: Date | null): Promise<number> {
  const {
    rows: [row],
  } = await reports().query<{ events: number }>(sql`
    SELECT count(*)::int AS events FROM (
      SELECT FROM facts.event WHERE site_id = ${siteId} AND (${before}::timestamptz IS NULL OR ts < ${before})
      LIMIT ${MOST_COUNTED + 1}
    ) AS counted`);
  return row?.events ?? 0;
}
