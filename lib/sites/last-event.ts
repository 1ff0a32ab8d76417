import { boundedMap } from "@/lib/bounded-map";
import type { Principal } from "@/lib/contract/define";
import { db, reportDeadlineMs } from "@/lib/db";
import { lastEventAt } from "@/lib/ingest/store/event-times";
import { recentRefusals } from "@/lib/ingest/store/ingest-stats-counts";
import { countPresent } from "@/lib/ingest/store/recent-events";
import { asReport } from "@/lib/report-queries";
import { type Shares, sharesOf } from "@/lib/report-shares";
import { siteFor } from "@/lib/sites/access";

/** Whether a site is alive. Cheap enough to be asked every second. */
export interface LastEvent {
  /** When its last event came; null for never. */
  last_event_at: string | null;
  /** How many people did anything within the last five minutes, as the realtime report counts them. */
  present: number;
}

export interface LastEventIndicator extends LastEvent {
  /** What was turned away in the last two days, most frequent first. */
  refused: { reason: string; hits: number }[];
}

/** For those who have a role on the site. @throws Refusal `site_not_granted` */
export async function pulse(principal: Principal, siteId: number): Promise<LastEventIndicator> {
  await siteFor(db(), principal, siteId, "viewer");
  const shares = sharesOf(principal);
  const [beat, refused] = await Promise.all([
    lastEventOf(siteId, shares),
    runSmallRead(shares, () => recentRefusals(siteId)),
  ]);
  return { ...beat, refused };
}

/**
 * Runs among the reports of the caller and is charged like them, but is not refused for the time that they have used: an
 * open page needs it. It does not end when the caller leaves, because others may wait for the same answer.
 */
export const runSmallRead = <T>(shares: Shares, work: () => Promise<T>): Promise<T> =>
  asReport(
    { shares, overBudget: true, deadlineMs: reportDeadlineMs(), signal: new AbortController().signal },
    async () => work(),
  );

/** However many look at a site, it is asked once a second. */
const FRESH_MS = 1_000;
const known = boundedMap<number, Promise<LastEvent>>("last-events", { max: 10_000, ttl: FRESH_MS, ttlResolution: 100 });

/** What of it anyone may know of a public site. @param shares of the caller. */
export function lastEventOf(siteId: number, shares: Shares): Promise<LastEvent> {
  const told = known.get(siteId);
  if (told) return told;
  const asked = runSmallRead(shares, () => readBeat(siteId));
  known.set(siteId, asked);
  asked.catch(() => known.delete(siteId));
  return asked;
}

async function readBeat(siteId: number): Promise<LastEvent> {
  const [last, present] = await Promise.all([lastEventAt(siteId), countPresent(siteId)]);
  return { last_event_at: last?.toISOString() ?? null, present };
}
