import { recordTestEvent, testIdIn } from "@/lib/ingest/api/test-event";
import type { Outcome } from "@/lib/ingest/event/decided-event";
import type { SentEvent } from "@/lib/ingest/event/sent-event";
import { type Arrival, describeEvent, describeFiltered } from "@/lib/ingest/pipeline/debug-record";
import { type Context, processEvent } from "@/lib/ingest/pipeline/pipeline";
import { unitsOf } from "@/lib/ingest/pipeline/units";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { writer } from "@/lib/ingest/store/writer";

interface From extends Context {
  arrival: Arrival;
}
type ProcessedEvent = ReturnType<typeof processEvent>;

/**
 * Processes an event and writes it, unless it is filtered.
 *
 * @throws Refusal `invalid_input` for a URL that is malformed or not on the site, `unavailable` when the event cannot
 *   be written now.
 */
export async function ingestEvent(event: SentEvent, from: From): Promise<Outcome> {
  const { site, sender, arrival, now } = from;
  const processed = processEvent(event, from);
  // Events of a server with a key show nothing about the installation of a page.
  const test = sender.vouched ? null : testIdIn(event.url);
  const result = test !== null && (await isTestEvent(test, processed, from)) ? asTestEvent(processed) : processed;
  if ("filtered" in result) {
    showInLiveWindow(site.id, now, () => describeFiltered(result, event, arrival));
    return { status: "filtered", reason: result.filtered };
  }
  const outcome = await writer.write(result);
  const surplus = outcome.status === "stored" ? unitsOf(result) - 1 : 0;
  if (surplus > 0) countOutcome(site.id, now, "surplus", "", surplus);
  showInLiveWindow(site.id, now, () => describeEvent(result, outcome, { event, sender, arrival }));
  return outcome;
}

const asTestEvent = ({ page }: ProcessedEvent) => ({ filtered: "installation_test", page }) as const;

/** Whether a page's event belongs to an installation test, which it is stored for even if it is filtered. */
function isTestEvent(test: string, processed: ProcessedEvent, { site, now }: From): Promise<boolean> {
  const page = processed.page && `${processed.page.hostname}${processed.page.path}`;
  const left_out = "filtered" in processed ? processed.filtered : null;
  return recordTestEvent(site.id, test, { at: now.toISOString(), page, left_out }, now);
}
