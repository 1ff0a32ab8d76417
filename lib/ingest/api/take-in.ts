import { recordTestEvent, testNamedIn } from "@/lib/ingest/api/test-event";
import { type Arrival, describeEvent, describeFiltered } from "@/lib/ingest/pipeline/debug-record";
import { type Context, processEvent } from "@/lib/ingest/pipeline/pipeline";
import type { ParsedEvent } from "@/lib/ingest/pipeline/schema";
import type { Outcome } from "@/lib/ingest/store/event-row";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { writer } from "@/lib/ingest/store/writer";

interface From extends Context {
  arrival: Arrival;
}
type ProcessedEvent = ReturnType<typeof processEvent>;

/**
 * Understands an event and writes what is to be stored of it.
 *
 * @throws Refusal `invalid_input` for an address that is none or is not the site's, `unavailable` when it cannot be
 *   written now.
 */
export async function ingestEvent(event: ParsedEvent, from: From): Promise<Outcome> {
  const { site, sender, arrival, now } = from;
  const hit = processEvent(event, from);
  // What a server with a key reports shows nothing about a page.
  const test = sender.vouched ? null : testNamedIn(event.url);
  const left = test !== null && (await isOfTest(test, hit, from)) ? ofTest(hit) : hit;
  if ("filtered" in left) {
    showInLiveWindow(site.id, now, () => describeFiltered(left, event, arrival));
    return { status: "filtered", reason: left.filtered };
  }
  const outcome = await writer.write(left);
  showInLiveWindow(site.id, now, () => describeEvent(left, outcome, { event, sender, arrival }));
  return outcome;
}

const ofTest = ({ page }: ProcessedEvent) => ({ filtered: "installation_test", page }) as const;

/** Whether a page's event belongs to an installation test, which then hears of it, also of one that would not be counted. */
function isOfTest(test: string, hit: ProcessedEvent, { site, now }: From): Promise<boolean> {
  const page = hit.page && `${hit.page.hostname}${hit.page.path}`;
  const left_out = "filtered" in hit ? hit.filtered : null;
  return recordTestEvent(site.id, test, { at: now.toISOString(), page, left_out }, now);
}
