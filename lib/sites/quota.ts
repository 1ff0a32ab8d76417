import { storedThisMonth } from "@/lib/ingest/store/ingest-stats";
import { env } from "@/lib/platform/env";

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

/** The first moment of the month after `now`, in UTC. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
