import { countActiveVisitors, lastEventAt } from "@/lib/ingest/store/site-events";
import { boundedMap } from "@/lib/platform/bounded-map";
import { asReport } from "@/lib/platform/report-queries";
import type { Shares } from "@/lib/platform/report-shares";
import { reportDeadlineMs } from "@/lib/platform/reports";

/** Last-event indicator of a site. Cheap enough to poll every second. */
export interface LastEvent {
  /** Time of the last event; null when there is none. */
  last_event_at: string | null;
  /** Visitors active in the last five minutes, as in the realtime report. */
  active_visitors: number;
}

/** Results are shared between callers for this long. */
const FRESH_MS = 1_000;
const known = boundedMap<number, Promise<LastEvent>>("last-events", { max: 10_000, ttl: FRESH_MS, ttlResolution: 100 });

/**
 * Returns the indicator, cached for one second. It is charged to the caller but never refused for used-up report time,
 * since open pages need it, and ignores client disconnects, because other callers share the result.
 *
 * @param shares the caller's report shares
 */
export function lastEventOf(siteId: number, shares: Shares): Promise<LastEvent> {
  const cached = known.get(siteId);
  if (cached) return cached;
  const bounds = { shares, overBudget: true, deadlineMs: reportDeadlineMs(), signal: new AbortController().signal };
  const pending = asReport(bounds, () => queryLastEvent(siteId));
  known.set(siteId, pending);
  pending.catch(() => known.delete(siteId));
  return pending;
}

async function queryLastEvent(siteId: number): Promise<LastEvent> {
  const [last, active] = await Promise.all([lastEventAt(siteId), countActiveVisitors([siteId])]);
  return { last_event_at: last?.toISOString() ?? null, active_visitors: active.get(siteId) ?? 0 };
}
