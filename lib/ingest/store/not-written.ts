import type { Doubt } from "@/lib/ingest/store/event-row";
import { Refusal } from "@/lib/platform/errors";

/** The hit is not stored, as far as is known: with a doubt it may be. */
export class NotWritten extends Refusal {
  constructor(readonly doubt: Doubt | null) {
    const message =
      "The event could not be stored now; send it again with the same event_id. Without one it may be stored twice.";
    super("unavailable", message, undefined, 2);
  }
}
