import type { Outcome } from "@/lib/ingest/hit";
import { showHit } from "@/lib/ingest/live-window";
import { type Sender, understand } from "@/lib/ingest/pipeline";
import type { ReadEvent } from "@/lib/ingest/schema";
import type { IngestSite } from "@/lib/ingest/sites";
import { type Arrival, tellFiltered, tellHit } from "@/lib/ingest/told";
import { writer } from "@/lib/ingest/writer";

interface From {
  site: IngestSite;
  sender: Sender;
  arrival: Arrival;
  now: Date;
}

/**
 * Understands an event and writes what is to be stored of it.
 *
 * @throws Refusal `invalid_input` for an address that is none or is not the site's, `unavailable` when it cannot be
 *   written now.
 */
export async function takeIn(event: ReadEvent, { site, sender, arrival, now }: From): Promise<Outcome> {
  const hit = await understand(event, site, sender, now);
  if ("filtered" in hit) {
    showHit(site.id, now, () => tellFiltered(hit, event, arrival));
    return { status: "filtered", reason: hit.filtered };
  }
  const outcome = await writer.write(hit);
  showHit(site.id, now, () => tellHit(hit, outcome, { event, sender, arrival }));
  return outcome;
}
