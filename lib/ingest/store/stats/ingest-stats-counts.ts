import type { IngestOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";

/** Reads event outcomes, which are counted by site, UTC day, outcome and reason. */

/** The events of a site with one outcome and reason; `reason` is null where there is none. */
export interface EventOutcome {
  outcome: IngestOutcome;
  reason: string | null;
  events: number;
  /** Those of each UTC day that has any. */
  days: { day: string; events: number }[];
}

/** Returns a site's event outcomes from one UTC day to another, the most frequent first. Days are ISO dates. */
export async function eventOutcomes(siteId: number, from: string, to: string): Promise<EventOutcome[]> {
  const { rows } = await reports().query<EventOutcome>(sql`
    SELECT outcome, nullif(reason, '') AS reason, sum(events)::float8 AS events,
           json_agg(json_build_object('day', day, 'events', events) ORDER BY day) AS days
    FROM (SELECT outcome, day, sum(events)::float8 AS events,
                 CASE outcome WHEN 'scrubbed' THEN split_part(reason, ':', 1) ELSE reason END AS reason
          FROM facts.intake
          WHERE site_id = ${siteId} AND day >= ${from}::date AND day <= ${to}::date
          GROUP BY 1, 2, 4) AS of_day
    GROUP BY outcome, reason ORDER BY events DESC, outcome, reason`);
  return rows;
}

/** Returns the ten most frequent reasons for refused and filtered events of today and yesterday (UTC). */
export async function recentRefusals(siteId: number): Promise<{ reason: string; events: number }[]> {
  const { rows } = await reports().query<{ reason: string; events: number }>(sql`
    SELECT reason, sum(events)::int AS events FROM facts.intake
    WHERE site_id = ${siteId} AND outcome IN ('refused', 'filtered') AND day >= (now() AT TIME ZONE 'UTC')::date - 1
    GROUP BY reason ORDER BY events DESC, reason LIMIT 10`);
  return rows;
}

/** The events received for a site on a UTC day, and how many of them were refused. */
interface ReceivedPerDay {
  day: string;
  all: number;
  refused: number;
}

/** Returns the events received for a site on each UTC day since `since`. */
export async function receivedPerDaySince(siteId: number, since: string): Promise<ReceivedPerDay[]> {
  const { rows } = await reports().query<ReceivedPerDay>(sql`
    SELECT day::text, sum(events)::float8 AS "all", coalesce(sum(events) FILTER (WHERE outcome = 'refused'), 0)::float8 AS refused
    FROM facts.intake WHERE site_id = ${siteId} AND day >= ${since}::date AND outcome NOT IN ('scrubbed', 'surplus') GROUP BY day`);
  return rows;
}

/** The number of stored events of each site, as columns; decimal text. */
interface StoredCounts {
  siteIds: number[];
  events: string[];
}

/** Counts the stored events of each site since a UTC day. */
export async function storedSince(day: string): Promise<StoredCounts> {
  const { rows } = await reports().query<{ site_id: number; events: string }>(sql`
    SELECT site_id, sum(events)::text AS events FROM facts.intake WHERE day >= ${day}::date AND outcome = 'stored' GROUP BY site_id`);
  return { siteIds: rows.map(({ site_id }) => site_id), events: rows.map(({ events }) => events) };
}

/** The stored events of a site on a UTC day. */
export interface StoredOnDay {
  siteId: number;
  day: string;
  events: number;
}

/** Counts the stored events of these sites on each UTC day since `since` that has any, in order of the days. */
export async function storedPerDaySince(siteIds: readonly number[], since: string): Promise<StoredOnDay[]> {
  const { rows } = await reports().query<StoredOnDay>(sql`
    SELECT site_id AS "siteId", day::text, sum(events)::float8 AS events FROM facts.intake
    WHERE site_id = ANY(${[...siteIds]}::int[]) AND day >= ${since}::date AND outcome = 'stored'
    GROUP BY site_id, day ORDER BY day`);
  return rows;
}
