import type { DecidedEvent, Outcome } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { internEvents } from "@/lib/ingest/store/dictionary";
import type { EventIdReservations } from "@/lib/ingest/store/event-id-reservations";
import { findVisits, insertFacts, type StoredEvent } from "@/lib/ingest/store/facts";
import { ensureMonths } from "@/lib/ingest/store/partitions";
import { insertReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { slotsOf, writeEvents } from "@/lib/ingest/store/transaction";
import { type DimensionIds, RunningVisits } from "@/lib/ingest/store/visits";

/** A batch's turn to take its visitors' locks, and the function that passes it to the next batch. */
export interface LockTurn {
  ready: Promise<void>;
  pass(): void;
}

/** Writes events in one transaction. @returns an outcome for each, in their order. @throws LostCommit */
export async function commit(events: readonly DecidedEvent[], turn: LockTurn): Promise<Outcome[]> {
  try {
    await ensureMonths(events.map(({ timestamp }) => new Date(millisecondOf(timestamp))));
    const ids = await internEvents(events);
    // A batch takes its connection only in its turn, because the batch before it may need that connection.
    await turn.ready;
    return await writeEvents(events, {
      slots: slotsOf(events),
      onLocked: turn.pass,
      find: (client, distributed) => findVisits(client, events, distributed),
      decide({ reservations, held, found }) {
        const { outcomes, stored } = assignVisits(events, ids, reservations, new RunningVisits(found));
        return { statements: [...insertFacts(stored), ...insertReturningVisitors(stored, held)], result: outcomes };
      },
    });
  } finally {
    turn.pass();
  }
}

/** Decides for each event, in order, its outcome and its visit. */
function assignVisits(
  events: readonly DecidedEvent[],
  ids: readonly DimensionIds[],
  reservations: EventIdReservations,
  running: RunningVisits,
) {
  const stored: StoredEvent[] = [];
  const outcomes = events.map((event, index): Outcome => {
    if (reservations.isTaken(index)) return { status: "duplicate" };
    const assigned = running.assign(event, ids[index] as DimensionIds);
    if (!assigned) return { status: "filtered", reason: "visit_over" };
    const { visit, isNew } = assigned;
    const traffic = event.traffic === "human" && visit.traffic === "suspicious" ? "suspicious" : event.traffic;
    reservations.confirm(index);
    stored.push({ event, ids: ids[index] as DimensionIds, visit, traffic });
    return { status: "stored", visit: visit.visitorId === null ? "none" : isNew ? "new" : "continued", traffic };
  });
  return { outcomes, stored };
}
