import type { TrafficClass } from "@/lib/contract/vocabulary";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { MOST_KEPT } from "@/lib/ingest/store/live-window";
import type { Db } from "@/lib/platform/db";

/** Reads and deletes the hits that live windows have kept (`live-window.ts`). A window is known by when it started. */

export interface TrackingCount {
  outcome: EventDebugRecord["outcome"];
  traffic: TrafficClass | null;
  events: number;
}

/** How many hits a window has seen by outcome and class, the most frequent first. */
export const readTrackingCounts = (on: Db, siteId: number, startedAt: Date): Promise<TrackingCount[]> =>
  on.$queryRaw<TrackingCount[]>`
    SELECT outcome, nullif(traffic, '') AS traffic, hits::float8 AS events FROM facts.tracking_count
    WHERE site_id = ${siteId} AND started_at = ${startedAt} ORDER BY hits DESC, outcome, traffic`;

/** The newest hits of a window, the newest first. @param seen ids of hits that are left out. */
export const readTrackingEvents = (
  on: Db,
  siteId: number,
  startedAt: Date,
  seen: readonly string[],
): Promise<{ id: string; at: Date; told: EventDebugRecord }[]> =>
  on.$queryRaw<{ id: string; at: Date; told: EventDebugRecord }[]>`
    SELECT id::text, at, told FROM facts.tracking_hit
    WHERE site_id = ${siteId} AND started_at = ${startedAt} AND id <> ALL(${seen}::bigint[])
    ORDER BY tracking_hit.id DESC LIMIT ${MOST_KEPT}`;

/** Deletes all that windows of these sites have kept. */
export async function deleteTrackingEvents(on: Db, siteIds: number[]): Promise<void> {
  await on.$executeRaw`DELETE FROM facts.tracking_hit WHERE site_id = ANY(${siteIds})`;
  await on.$executeRaw`DELETE FROM facts.tracking_count WHERE site_id = ANY(${siteIds})`;
}
