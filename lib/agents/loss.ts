import { firstKnownDay } from "@/lib/analytics/query/first-day";
import { firstRetainedDay } from "@/lib/contract/retained-days";
import { countEvents, MOST_COUNTED } from "@/lib/ingest/store/site-events";
import { db } from "@/lib/platform/db";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";

/** What a deletion of data loses now: shown to the person who decides, and not part of what they approve. */
export interface Loss {
  events: number;
  /** Whether there are more events than were counted. */
  more: boolean;
  /** The first local day with data, imported days included; null without any. */
  since: string | null;
  /** How many local days that is. */
  days: number;
}

/**
 * Returns what is lost of a site, or null when the site does not exist.
 *
 * @param keepMonths the retention limit that deletes older data; null for the deletion of the whole site.
 */
export async function lossOf(siteId: number, keepMonths: number | null, now: Date): Promise<Loss | null> {
  const site = await db().site.findUnique({ where: { id: siteId } });
  if (!site) return null;
  const { timezone, keptFrom } = site;
  const until =
    keepMonths === null ? null : firstRetainedDay({ timezone, retention: { months: keepMonths, from: keptFrom } }, now);
  const before = until ? startOfDay(until, timezone) : null;
  const [events, first] = await Promise.all([countEvents(siteId, before), firstKnownDay(site)]);
  const last = until ?? localDay(now, timezone);
  const isLost = first !== null && Temporal.PlainDate.compare(first, last) <= (until ? -1 : 0);
  return {
    events: Math.min(events, MOST_COUNTED),
    more: events > MOST_COUNTED,
    since: isLost ? first.toString() : null,
    days: isLost ? first.until(last).days + (until ? 0 : 1) : 0,
  };
}
