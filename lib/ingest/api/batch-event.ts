import { type Fault, readMeasured } from "@/lib/ingest/api/measured";
import type { MeasuredEvent } from "@/lib/ingest/api/measured-event";
import { isStored } from "@/lib/ingest/store/event-id";

/** One event of a batch as it was sent, with either its fault or its parsed form. */
export type BatchEvent =
  | { sent: unknown; fault: Fault }
  | {
      sent: unknown;
      event: MeasuredEvent;
      /** Whether an event with this id is already stored. @throws the error of that lookup. */
      isStored: () => boolean;
    };

/**
 * Reads one event of a batch and looks up its id.
 *
 * @param mayBeLarge whether the batch has room for an event beyond the size limit.
 */
export function readBatchEvent(sent: unknown, siteId: number, mayBeLarge: boolean): BatchEvent | Promise<BatchEvent> {
  const read = readMeasured(sent, mayBeLarge);
  if ("fault" in read) return { sent, fault: read.fault };
  const { event } = read;
  if (!event.event_id) return { sent, event, isStored: () => false };
  const { event_id: id } = event;
  return settle(Promise.resolve(isStored(id, siteId))).then((stored) => ({ sent, event, isStored: stored }));
}

/** Waits for the promise and returns a function that returns its value or throws its error. */
export const settle = <T>(promise: Promise<T>): Promise<() => T> =>
  promise.then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );
