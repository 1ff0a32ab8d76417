import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { internEvents } from "@/lib/ingest/store/dimension-values";
import { EventIdReservations } from "@/lib/ingest/store/event-id-reservations";
import type { Outcome } from "@/lib/ingest/store/event-row";
import { findVisits, insertFacts, type StoredEvent } from "@/lib/ingest/store/facts";
import { markLate } from "@/lib/ingest/store/late";
import { ensureMonths } from "@/lib/ingest/store/months";
import { insertReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { lockVisitors } from "@/lib/ingest/store/visitor-locks";
import { type DimensionIds, RunningVisits } from "@/lib/ingest/store/visits";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";
import { ingestPool, isDatabaseAway, rollBack } from "@/lib/platform/pool";

/** When a batch may take its visitors' locks, and whom to tell when it has. */
export interface LockTurn {
  mine: Promise<void>;
  pass(): void;
}

/** The answer to COMMIT was lost: all of the transaction is stored, or nothing of it. */
export class LostCommit extends Error {
  constructor(
    readonly xid: string,
    cause: unknown,
  ) {
    super("The answer to COMMIT was lost", { cause });
  }
}

/** Writes hits in one transaction. @returns an outcome for each, in their order. @throws LostCommit */
export async function commit(hits: readonly WritableEvent[], turn: LockTurn): Promise<Outcome[]> {
  try {
    await ensureMonths(hits.map(({ timestamp }) => new Date(millisecondOf(timestamp))));
    const words = await internEvents(hits);
    return await writeAll(hits, words, turn);
  } finally {
    turn.pass();
  }
}

/**
 * A prepared statement keeps the plan that was made for the month as it was then: that of an empty month would read all of
 * its visits from now on. So nothing is read without an index, and statements need not be planned for each batch.
 */
const BEGIN = "BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan";

/** The connection is pipelined: what needs no answer before it is sent without waiting; only COMMIT waits for all. */
async function writeAll(hits: readonly WritableEvent[], words: DimensionIds[], turn: LockTurn): Promise<Outcome[]> {
  // A batch that waits for its turn holds no connection that the batch before it may still need.
  await turn.mine;
  const client = await ingestPool().connect();
  let committing: string | null = null;
  try {
    const claims = new EventIdReservations(hits);
    const [, locked, , known] = await pipelined([
      client.query(BEGIN),
      // Before any other lock, or two writers could wait for each other.
      lockVisitors(client, hits).finally(turn.pass),
      claims.stake(client),
      findVisits(client, hits),
    ]);
    const { outcomes, kept } = assign(hits, words, claims, new RunningVisits(known));
    // Worked out whole before any of it is sent: COMMIT must not go without what it is about.
    const statements = [...insertFacts(kept), ...markLate(kept), ...insertReturningVisitors(kept), ...claims.giveUp()];
    committing = locked;
    await pipelined([...statements.map((statement) => client.query(statement)), client.query("COMMIT")]);
    client.release();
    return outcomes;
  } catch (error) {
    await rollBack(client);
    throw committing !== null && isDatabaseAway(error) ? new LostCommit(committing, error) : error;
  }
}

/** What Postgres says to a statement after another of its transaction has failed. */
const FOLLOWS = "25P02";

/**
 * Waits for the answers to statements that were sent without waiting for each other.
 *
 * @throws the error of the statement that failed by itself, rather than of one that only followed it.
 */
async function pipelined<T extends readonly unknown[]>(
  sent: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(sent);
  const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failed.length > 0) throw failed.find((reason) => reason?.code !== FOLLOWS) ?? failed[0];
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}

/** Decides, hit by hit in their order, what each one is and which visit it belongs to. */
function assign(
  hits: readonly WritableEvent[],
  words: readonly DimensionIds[],
  claims: EventIdReservations,
  running: RunningVisits,
) {
  const kept: StoredEvent[] = [];
  const outcomes = hits.map((hit, index): Outcome => {
    if (claims.isTaken(index)) return DUPLICATE;
    const taken = running.take(hit, words[index] as DimensionIds);
    if (!taken) return { status: "filtered", reason: "visit_over" };
    const { visit, isNew } = taken;
    const traffic = hit.traffic === "human" && visit.traffic === "suspicious" ? "suspicious" : hit.traffic;
    claims.take(index);
    kept.push({ hit, words: words[index] as DimensionIds, visit, traffic });
    return { status: "stored", visit: visit.visitorId === null ? "none" : isNew ? "new" : "continued", traffic };
  });
  return { outcomes, kept };
}

const DUPLICATE: Outcome = { status: "duplicate" };
