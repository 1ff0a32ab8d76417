import type { Doubt } from "@/lib/ingest/store/event-row";
import { Refusal } from "@/lib/platform/errors";

/** The event was not stored, as far as is known; with `doubt`, its transaction may have been committed. */
export class NotWritten extends Refusal {
  constructor(readonly doubt: Doubt | null) {
    const message =
      "The event could not be stored now; send it again with the same event_id. Without an event_id, it may be stored twice.";
    super("unavailable", message, undefined, 2);
  }
}
