import { storedThisMonth } from "@/lib/ingest/store/stats/ingest-stats";
import { env } from "@/lib/platform/env";
import { nextMonth } from "@/lib/platform/time";

/** The monthly event quota of a site. */
export interface Quota {
  events: number;
  used: number;
  /** Start of the next UTC month, when the quota renews. */
  renewsAt: Date;
}

/** Returns the quota of a site and its usage; null if the service has no quota. */
export async function readQuota(siteId: number, now: Date): Promise<Quota | null> {
  const events = env().EVENTS_PER_MONTH;
  if (events === undefined) return null;
  return { events, used: await storedThisMonth(siteId, now), renewsAt: nextMonth(now) };
}
