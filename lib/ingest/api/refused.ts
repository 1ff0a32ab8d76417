import { eventBodyShape } from "@/lib/ingest/event/sent-event";
import { describeRefused, type EventDebugRecord } from "@/lib/ingest/pipeline/debug-record";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { Refusal } from "@/lib/platform/errors";

/** Counts refused events for the owner of the site, by reason and day. */

/** Fields that are counted by name: names from requests would be unbounded. */
const COUNTED: ReadonlySet<string> = new Set([
  ...Object.keys(eventBodyShape.shape),
  ...["properties", "context"],
  ...["Origin", "X-Forwarded-For", "X-Footfall-Timestamp", "X-Footfall-Signature"],
]);

/** A request that may be refused: one event, or several. */
export interface Attempt {
  siteId: number;
  now: Date;
  surface: EventDebugRecord["surface"];
  events?: number;
  /** The event as it was sent, if there is one. */
  sent?: unknown;
}

/** Counts a refusal by its code and first invalid field, and shows it in the live window. */
export function recordRefusal({ siteId, now, surface, events = 1, sent }: Attempt, error: unknown): void {
  showInLiveWindow(siteId, now, () => describeRefused(error, surface, sent, events));
  // Other errors are not refusals.
  if (!(error instanceof Refusal)) return;
  const { code, details } = error;
  const [field = ""] = (details?.issues as { path: string }[] | undefined)?.[0]?.path.split(".", 1) ?? [];
  countOutcome(siteId, now, "refused", COUNTED.has(field) ? `${code}:${field}` : code, events);
}

/** Runs `work` and records it if it is refused. */
export async function recordingRefusals<T>(attempt: Attempt, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    recordRefusal(attempt, error);
    throw error;
  }
}
