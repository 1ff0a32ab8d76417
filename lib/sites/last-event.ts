import type { Principal } from "@/lib/contract/define";
import { lastEventAt } from "@/lib/ingest/store/event-times";
import { countActiveVisitors } from "@/lib/ingest/store/recent-events";
import { recentRefusals } from "@/lib/ingest/store/stats/ingest-stats-counts";
import { boundedMap } from "@/lib/platform/bounded-map";
import { db } from "@/lib/platform/db";
import { asReport } from "@/lib/platform/report-queries";
import { type Shares, sharesOf } from "@/lib/platform/report-shares";
import { reportDeadlineMs } from "@/lib/platform/reports";
import { siteFor } from "@/lib/sites/access";

/** Last-event indicator of a site. Cheap enough to poll every second. */
export interface LastEvent {
  /** Time of the last event; null when there is none. */
  last_event_at: string | null;
  /** Visitors active in the last five minutes, as in the realtime report. */
  present: number;
}

export interface LastEventIndicator extends LastEvent {
  /** Refused events of the last two days by reason, most frequent first. */
  refused: { reason: string; hits: number }[];
}

/** Returns the indicator for a site member. @throws Refusal `site_not_granted` */
export async function pulse(principal: Principal, siteId: number): Promise<LastEventIndicator> {
  await siteFor(db(), principal, siteId, "viewer");
  const shares = sharesOf(principal);
  const [lastEvent, refused] = await Promise.all([
    lastEventOf(siteId, shares),
    runSmallRead(shares, () => recentRefusals(siteId)),
  ]);
  return { ...lastEvent, refused };
}

/**
 * Runs a small report that is charged to the caller but never refused for used-up report time, since open pages need
 * it. It ignores client disconnects, because other callers may share the result.
 */
export const runSmallRead = <T>(shares: Shares, work: () => Promise<T>): Promise<T> =>
  asReport(
    { shares, overBudget: true, deadlineMs: reportDeadlineMs(), signal: new AbortController().signal },
    async () => work(),
  );

/** Results are shared between callers for this long. */
const FRESH_MS = 1_000;
const known = boundedMap<number, Promise<LastEvent>>("last-events", { max: 10_000, ttl: FRESH_MS, ttlResolution: 100 });

/** Returns the public part of the indicator, cached for one second. @param shares the caller's report shares. */
export function lastEventOf(siteId: number, shares: Shares): Promise<LastEvent> {
  const cached = known.get(siteId);
  if (cached) return cached;
  const pending = runSmallRead(shares, () => queryLastEvent(siteId));
  known.set(siteId, pending);
  pending.catch(() => known.delete(siteId));
  return pending;
}

async function queryLastEvent(siteId: number): Promise<LastEvent> {
  const [last, present] = await Promise.all([lastEventAt(siteId), countActiveVisitors(siteId)]);
  return { last_event_at: last?.toISOString() ?? null, present };
}
