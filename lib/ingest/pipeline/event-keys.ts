import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { pseudonymOf } from "@/lib/ingest/identity/pseudonym";
import type { Sender } from "@/lib/ingest/pipeline/pipeline";
import type { IngestSite } from "@/lib/ingest/site/sites";

/**
 * Returns the keys that an event id reserves. Ids of senders with an ingest key share one namespace of the site, and so
 * do the random ids of the browser script. Anybody can send any other id, so it is one of its visitor alone, or of its
 * server: nobody takes the id of another's order, or learns whether it exists.
 */
export function eventKeys(
  eventId: string,
  { vouched, keyed, address, userAgent }: Sender,
  site: IngestSite,
  row: DecidedEvent,
): string[] {
  if (vouched || keyed || row.isPageKey) return [eventId];
  const senders =
    row.visitors.length > 0 ? row.visitors : [pseudonymOf(site.userKey(), `server|${address}|${userAgent}`)];
  return senders.map((sender) => `${sender} ${eventId}`);
}
