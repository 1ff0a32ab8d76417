import type pg from "pg";
import type { DecidedEvent, Outcome } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { internEvents } from "@/lib/ingest/store/dictionary";
import { EventIdReservations } from "@/lib/ingest/store/event-id";
import { findVisits, insertFacts, type StoredEvent } from "@/lib/ingest/store/facts";
import { ensureMonths, isDistributed } from "@/lib/ingest/store/partitions";
import { type HeldSalts, holdSalts, insertReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { classIn, type DimensionIds, RunningVisits, storedIn } from "@/lib/ingest/store/visits";
import { Fault } from "@/lib/platform/errors";
import { ingestPool, isDatabaseUnavailable, rollBack } from "@/lib/platform/pool";
import type { Sql } from "@/lib/platform/sql";

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
    const traffic = classIn(visit, event);
    reservations.confirm(index);
    stored.push({ event, ids: ids[index] as DimensionIds, visit, traffic });
    return storedIn(visit, isNew, traffic);
  });
  return { outcomes, stored };
}

/** The response to COMMIT was lost: either all of the transaction is stored or none of it. */
export class LostCommit extends Fault {
  constructor(
    readonly xid: string,
    cause: unknown,
  ) {
    super("The response to COMMIT was lost", { cause });
  }
}

/** What a transaction knows once the visitors of its events are locked and their ids reserved. */
export interface Locked<Found> {
  client: pg.PoolClient;
  reservations: EventIdReservations;
  held: HeldSalts;
  found: Found;
}

/** What a transaction writes last, and its result; without statements it is rolled back. */
interface Decided<Result> {
  statements: readonly (pg.QueryConfig | Sql)[] | null;
  result: Result;
}

interface Steps<Found, Result> {
  /** The locks of all visitors that the events may belong to. */
  slots: ReadonlySet<number>;
  /** Is called when the locks are taken, or cannot be. */
  onLocked?: () => void;
  /** Reads in the same round trip as the locks. */
  find: (client: pg.PoolClient, distributed: boolean) => Promise<Found>;
  decide: (locked: Locked<Found>) => Decided<Result> | Promise<Decided<Result>>;
}

/**
 * Writes events in one transaction: locks their visitors, reserves their ids, decides, and writes. Statements that need no result
 * of an earlier one are sent without waiting; only COMMIT waits for all.
 *
 * @throws LostCommit
 */
export async function writeEvents<Found, Result>(
  events: readonly DecidedEvent[],
  { slots, onLocked = () => {}, find, decide }: Steps<Found, Result>,
): Promise<Result> {
  const distributed = await isDistributed();
  const client = await ingestPool().connect();
  let committing: string | null = null;
  try {
    const reservations = new EventIdReservations(events);
    const [, xid, , found, held] = await pipelined([
      client.query(distributed ? BEGIN : BEGIN_ON_ONE_NODE),
      // Taken before any other lock, so that two writers cannot deadlock.
      lockSlots(client, slots).finally(onLocked),
      reservations.reserve(client),
      find(client, distributed),
      holdSalts(client, events),
    ]);
    const { statements, result } = await decide({ client, reservations, held, found });
    if (statements === null) {
      await rollBack(client);
      return result;
    }
    // All statements are built before the first is sent: COMMIT must not be sent without them.
    const all = [...statements, ...reservations.release()];
    committing = xid;
    await pipelined([...all.map((statement) => client.query(statement)), client.query("COMMIT")]);
    client.release();
    return result;
  } catch (error) {
    await rollBack(client);
    throw committing !== null && isDatabaseUnavailable(error) ? new LostCommit(committing, error) : error;
  }
}

/**
 * A prepared statement keeps its first plan; one made for an empty month would scan all visits from then on. So visits
 * are looked up by index, whatever the tables hold, and a generic plan saves planning for each batch. Citus must know the
 * sites of each batch, so it makes no generic plan.
 */
const BEGIN = `BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`;
const BEGIN_ON_ONE_NODE = `${BEGIN}; SET LOCAL plan_cache_mode = force_generic_plan`;

/**
 * Two concurrent batches with the same visitor must agree on one visit, so each locks its visitors first. Visitors
 * share a fixed number of locks, which bounds the locks of all batches. Postgres with default settings has room for
 * about 6,400 (max_locks_per_transaction × max_connections).
 */
export const LOCK_SLOTS = 512;

/** Visitor ids are random numbers in decimal, so their last digits are evenly distributed. */
export const lockSlotOf = (visitor: string): number => Math.abs(Number(visitor.slice(-6))) % LOCK_SLOTS;

/** Returns the locks of all possible visitors of events. */
export const slotsOf = (events: readonly Pick<DecidedEvent, "visitors">[]): Set<number> =>
  new Set(events.flatMap(({ visitors }) => visitors.map(lockSlotOf)));

/** Returns one row however many locks there are, so that the driver has little to parse. */
const LOCK_VISITORS = `
  SELECT count(*), pg_current_xact_id()::text AS xid
  FROM (SELECT pg_advisory_xact_lock(hashtext('facts.visitor'), slot) FROM unnest($1::int[]) AS slot) AS locked`;

/**
 * Takes the locks of visitors until the transaction ends, in the same order everywhere, so that batches cannot deadlock.
 *
 * @returns the id of the transaction.
 */
async function lockSlots(client: pg.PoolClient, slots: ReadonlySet<number>): Promise<string> {
  const sorted = [...slots].sort((a, b) => a - b);
  const { rows } = await client.query({
    name: "lock-visitors",
    text: LOCK_VISITORS,
    values: [`{${sorted.join(",")}}`],
  });
  return rows[0].xid;
}

/** SQLSTATE of statements after another one of the transaction failed. */
const IN_FAILED_TRANSACTION = "25P02";

/**
 * Waits for the results of pipelined statements.
 *
 * @throws the error of the statement that failed first, rather than of those that failed because of it.
 */
async function pipelined<T extends readonly unknown[]>(
  sent: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(sent);
  const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failed.length > 0) throw failed.find((reason) => reason?.code !== IN_FAILED_TRANSACTION) ?? failed[0];
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}
