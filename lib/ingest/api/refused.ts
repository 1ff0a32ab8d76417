import { describeRefused, type EventDebugRecord } from "@/lib/ingest/pipeline/debug-record";
import { eventShape } from "@/lib/ingest/pipeline/schema";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { Refusal } from "@/lib/platform/errors";

/** What is refused is counted for the owner of the site, by why and by day. */

/** Only these are counted by their names: strangers' words would never end. */
const COUNTED: ReadonlySet<string> = new Set([
  ...Object.keys(eventShape.shape),
  ...["properties", "context"],
  ...["Origin", "X-Forwarded-For", "X-Footfall-Timestamp", "X-Footfall-Signature"],
]);

/** What may be refused: one event, or several at once. */
export interface Attempt {
  siteId: number;
  now: Date;
  surface: EventDebugRecord["surface"];
  events?: number;
  /** The event as it was sent, where there is one. */
  sent?: unknown;
}

/** Counts a refusal by its code and the first field that it names, and shows it to who looks at the site's hits. */
export function recordRefusal({ siteId, now, surface, events = 1, sent }: Attempt, error: unknown): void {
  showInLiveWindow(siteId, now, () => describeRefused(error, surface, sent, events));
  // Whatever else was thrown is no refusal.
  if (!(error instanceof Refusal)) return;
  const { code, details } = error;
  const [field = ""] = (details?.issues as { path: string }[] | undefined)?.[0]?.path.split(".", 1) ?? [];
  countOutcome(siteId, now, "refused", COUNTED.has(field) ? `${code}:${field}` : code, events);
}

/** Does what may be refused, and notes it if it is. */
export async function recordingRefusals<T>(attempt: Attempt, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    recordRefusal(attempt, error);
    throw error;
  }
}
