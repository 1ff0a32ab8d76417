import { storedThisMonth } from "@/lib/ingest/store/stats/ingest-stats";
import { env } from "@/lib/platform/env";
import { nextMonth } from "@/lib/platform/time";

/** How much of its month's events a site has used. */
export interface Quota {
  events: number;
  used: number;
  /** When the next month begins (UTC) and events are taken again. */
  renewsAt: Date;
}

/** The quota of a site and what is used of it; null where the service sets none. */
export async function readQuota(siteId: number, now: Date): Promise<Quota | null> {
  const events = env().EVENTS_PER_MONTH;
  if (events === undefined) return null;
  return { events, used: await storedThisMonth(siteId, now), renewsAt: nextMonth(now) };
}
