import { type IngestStats, ingestStatsSince } from "@/lib/ingest/store/stats/ingest-stats-counts";

export const INGEST_STATS_DAYS = 30;

/** Returns the event outcomes of the last 30 days (UTC, including today), most frequent first. */
export function readIngestStats(siteId: number, now: Date): Promise<IngestStats[]> {
  const since = new Date(now.getTime() - (INGEST_STATS_DAYS - 1) * 86_400_000);
  return ingestStatsSince(siteId, since.toISOString().slice(0, 10), now.toISOString().slice(0, 10));
}
