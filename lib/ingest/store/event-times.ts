import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";

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
