import type { TrafficClass } from "@/lib/contract/vocabulary";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { MAX_WINDOW_EVENTS } from "@/lib/ingest/store/live-window";
import { type Queries, sql } from "@/lib/platform/sql";

/**
 * Reads and deletes the events that live windows have stored (`live-window.ts`). A window is identified by its start
 * time.
 */

interface TrackingCount {
  outcome: EventDebugRecord["outcome"];
  traffic: TrafficClass | null;
  events: number;
}

/** Returns a window's event counts by outcome and class, the most frequent first. */
export async function readTrackingCounts(on: Queries, siteId: number, startedAt: Date): Promise<TrackingCount[]> {
  const { rows } = await on.query<TrackingCount>(sql`
    SELECT outcome, nullif(traffic, '') AS traffic, tracking_count.events::float8 AS events FROM facts.tracking_count
    WHERE site_id = ${siteId} AND started_at = ${startedAt} ORDER BY tracking_count.events DESC, outcome, traffic`);
  return rows;
}

interface WindowEvent {
  id: string;
  at: Date;
  record: EventDebugRecord;
}

/** Returns the newest events of a window, newest first. @param seen ids of events to leave out. */
export async function readTrackingEvents(
  on: Queries,
  siteId: number,
  startedAt: Date,
  seen: readonly string[],
): Promise<WindowEvent[]> {
  const { rows } = await on.query<WindowEvent>(sql`
    SELECT id::text, at, record FROM facts.tracking_event
    WHERE site_id = ${siteId} AND started_at = ${startedAt} AND id <> ALL(${seen}::bigint[])
    ORDER BY tracking_event.id DESC LIMIT ${MAX_WINDOW_EVENTS}`);
  return rows;
}

/** Deletes all events and counts of these sites' windows. */
export async function deleteTrackingEvents(on: Queries, siteIds: number[]): Promise<void> {
  await on.query(sql`DELETE FROM facts.tracking_event WHERE site_id = ANY(${siteIds}::int[])`);
  await on.query(sql`DELETE FROM facts.tracking_count WHERE site_id = ANY(${siteIds}::int[])`);
}
