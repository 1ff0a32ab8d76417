import type { Outcome } from "@/lib/ingest/hit";
import { showHit } from "@/lib/ingest/live-window";
import { type Sender, understand } from "@/lib/ingest/pipeline";
import type { ReadEvent } from "@/lib/ingest/schema";
import type { IngestSite } from "@/lib/ingest/sites";
import { type Arrival, tellFiltered, tellHit } from "@/lib/ingest/told";
import { writer } from "@/lib/ingest/writer";
import { noteTestEvent, testNamedIn } from "@/lib/sites/check/test-event";

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
  const left = (await isOfTest(event, hit, { site, sender, arrival, now }))
    ? ({ filtered: "installation_test", page: hit.page } as const)
    : hit;
  if ("filtered" in left) {
    showHit(site.id, now, () => tellFiltered(left, event, arrival));
    return { status: "filtered", reason: left.filtered };
  }
  const outcome = await writer.write(left);
  showHit(site.id, now, () => tellHit(left, outcome, { event, sender, arrival }));
  return outcome;
}

/**
 * Whether a page's event belongs to an installation test, which then hears of it, also of one that would not be counted.
 * What a server with a key reports shows nothing about a page.
 */
async function isOfTest(
  { url }: ReadEvent,
  hit: Awaited<ReturnType<typeof understand>>,
  { site, sender, now }: From,
): Promise<boolean> {
  const test = sender.vouched ? null : testNamedIn(url);
  if (test === null) return false;
  const page = hit.page && `${hit.page.hostname}${hit.page.path}`;
  const left_out = "filtered" in hit ? hit.filtered : null;
  return noteTestEvent(site.id, test, { at: now.toISOString(), page, left_out }, now);
}
