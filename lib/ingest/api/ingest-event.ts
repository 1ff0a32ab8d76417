import { recordTestEvent, testIdIn } from "@/lib/ingest/api/test-event";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import type { DecidedEvent, Outcome } from "@/lib/ingest/event/decided-event";
import { eventBodyShape, type SentEvent } from "@/lib/ingest/event/sent-event";
import { type Arrival, describeEvent, describeFiltered, describeRefused } from "@/lib/ingest/pipeline/debug-record";
import { type Context, decideEvent } from "@/lib/ingest/pipeline/pipeline";
import { countOutcome } from "@/lib/ingest/store/ingest-stats";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { timedWriter, writer } from "@/lib/ingest/store/writer";
import { Refusal } from "@/lib/platform/errors";

/** Ingests an event, and counts and shows what became of it. */

export interface From extends Context {
  arrival: Arrival;
}
export type DecidedOrFiltered = ReturnType<typeof decideEvent>;

/**
 * Decides an event and writes it, unless it is filtered.
 *
 * @throws Refusal `invalid_input` for a URL that is malformed or not on the site, `unavailable` when the event cannot
 *   be written now.
 */
export function ingestEvent(sent: SentEvent, from: From): Promise<Outcome> {
  return writeDecided(decideEvent(sent, from), sent, from);
}

/** Writes an event that is decided, unless it is filtered. @throws Refusal `unavailable` */
export async function writeDecided(decided: DecidedOrFiltered, sent: SentEvent, from: From): Promise<Outcome> {
  const { site, sender, arrival, now } = from;
  // Events of a server with a key show nothing about the installation of a page.
  const test = sender.vouched ? null : testIdIn(sent.url);
  const result = test !== null && (await isTestEvent(test, decided, from)) ? asTestEvent(decided) : decided;
  if ("filtered" in result) {
    showInLiveWindow(site.id, now, () => describeFiltered(result, sent, arrival, site.scrubRules));
    return { status: "filtered", reason: result.filtered };
  }
  const outcome = await (result.isTimed ? timedWriter : writer).write(result);
  const surplus = outcome.status === "stored" ? unitsOf(result) - 1 : 0;
  if (surplus > 0) countOutcome(site.id, now, "surplus", "", surplus);
  showInLiveWindow(site.id, now, () => describeEvent(result, outcome, { sent, sender, arrival }));
  return outcome;
}

const asTestEvent = ({ page }: DecidedOrFiltered) => ({ filtered: "installation_test", page }) as const;

/** Whether a page's event belongs to an installation test, which it is stored for even if it is filtered. */
function isTestEvent(test: string, decided: DecidedOrFiltered, { site, now }: From): Promise<boolean> {
  const page = decided.page && `${decided.page.hostname}${decided.page.path}`;
  const left_out = "filtered" in decided ? decided.filtered : null;
  return recordTestEvent(site.id, test, { at: now.toISOString(), page, left_out }, now);
}

const KB = 1024;

/** Returns how often an event counts in the quota of its site: once for each started KB of text that is stored of it. */
function unitsOf({ name, page, referrer, campaign, props }: DecidedEvent): number {
  const texts = [name, page?.hostname, page?.path, page?.title, referrer.url, props, ...Object.values(campaign ?? {})];
  const bytes = texts.reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0);
  return Math.max(1, Math.ceil(bytes / KB));
}

/** Fields that are counted by name: names from requests would be unbounded. */
const COUNTED: ReadonlySet<string> = new Set([
  ...Object.keys(eventBodyShape.shape),
  ...["properties", "context", "website", "batch"],
  ...["Origin", "X-Forwarded-For", "X-Footfall-Timestamp", "X-Footfall-Signature"],
]);

/** A request that may be refused: one event, or several. */
interface IngestAttempt {
  siteId: number;
  now: Date;
  surface: EventDebugRecord["surface"];
  events?: number;
  /** The event as it was sent, if there is one. */
  sent?: unknown;
}

/** Counts a refusal by its code and first invalid field, and shows it in the live window. */
export function recordRefusal({ siteId, now, surface, events = 1, sent }: IngestAttempt, error: unknown): void {
  showInLiveWindow(siteId, now, () => describeRefused(error, surface, sent, events));
  // Other errors are not refusals.
  if (!(error instanceof Refusal)) return;
  const { code, details } = error;
  const [field = ""] = (details?.issues as { path: string }[] | undefined)?.[0]?.path.split(".", 1) ?? [];
  countOutcome(siteId, now, "refused", COUNTED.has(field) ? `${code}:${field}` : code, events);
}

/** Runs `work` and records it if it is refused. */
export async function recordingRefusals<T>(attempt: IngestAttempt, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    recordRefusal(attempt, error);
    throw error;
  }
}
