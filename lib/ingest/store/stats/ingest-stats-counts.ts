import type { IngestOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";

/** Reads event outcomes, which are counted by site, UTC day, outcome and reason. */

/** The events of a site with one outcome and reason; `reason` is `''` where there is none. */
export interface IngestStats {
  outcome: IngestOutcome;
  reason: string;
  hits: number;
  /** Of them, today's (UTC). */
  today: number;
}

/** Returns a site's event outcomes since a UTC day, the most frequent first. Days are ISO dates. */
export async function ingestStatsSince(siteId: number, since: string, today: string): Promise<IngestStats[]> {
  const { rows } = await reports().query<IngestStats>(sql`
    SELECT outcome, reason, sum(hits)::float8 AS hits,
           coalesce(sum(hits) FILTER (WHERE day = ${today}::date), 0)::float8 AS today
    FROM facts.intake
    WHERE site_id = ${siteId} AND day >= ${since}::date
    GROUP BY outcome, reason ORDER BY hits DESC, outcome, reason`);
  return rows;
}

/** Returns the ten most frequent reasons for refused and filtered events of today and yesterday (UTC). */
export async function recentRefusals(siteId: number): Promise<{ reason: string; hits: number }[]> {
  const { rows } = await reports().query<{ reason: string; hits: number }>(sql`
    SELECT reason, sum(hits)::int AS hits FROM facts.intake
    WHERE site_id = ${siteId} AND outcome IN ('refused', 'filtered') AND day >= (now() AT TIME ZONE 'UTC')::date - 1
    GROUP BY reason ORDER BY hits DESC, reason LIMIT 10`);
  return rows;
}

/** The events received for a site on a UTC day, and how many of them were refused. */
export interface ReceivedPerDay {
  day: string;
  all: number;
  refused: number;
}

/** Returns the events received for a site on each UTC day since `since`. */
export async function receivedPerDaySince(siteId: number, since: string): Promise<ReceivedPerDay[]> {
  const { rows } = await reports().query<ReceivedPerDay>(sql`
    SELECT day::text, sum(hits)::float8 AS "all", coalesce(sum(hits) FILTER (WHERE outcome = 'refused'), 0)::float8 AS refused
    FROM facts.intake WHERE site_id = ${siteId} AND day >= ${since}::date AND outcome NOT IN ('scrubbed', 'surplus') GROUP BY day`);
  return rows;
}

/** The number of stored events of each site, as columns; decimal text. */
export interface StoredCounts {
  siteIds: number[];
  hits: string[];
}

/** Counts the stored events of each site since a UTC day. */
export async function storedSince(day: string): Promise<StoredCounts> {
  const { rows } = await reports().query<{ site_id: number; hits: string }>(sql`
    SELECT site_id, sum(hits)::text AS hits FROM facts.intake WHERE day >= ${day}::date AND outcome = 'stored' GROUP BY site_id`);
  return { siteIds: rows.map(({ site_id }) => site_id), hits: rows.map(({ hits }) => hits) };
}
