import type pg from "pg";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";

/**
 * Two concurrent batches with the same visitor must agree on one visit, so each locks its visitors first. Visitors
 * share a fixed number of locks, which bounds the locks of all batches. Postgres with default settings has room for
 * about 6,400 (max_locks_per_transaction × max_connections).
 */
export const LOCK_SLOTS = 512;

/** Visitor ids are random numbers in decimal, so their last digits are evenly distributed. */
export const lockSlotOf = (visitor: string): number => Math.abs(Number(visitor.slice(-6))) % LOCK_SLOTS;

/** Returns one row however many locks there are, so that the driver has little to parse. */
const LOCK_VISITORS = `
  SELECT count(*), pg_current_xact_id()::text AS xid
  FROM (SELECT pg_advisory_xact_lock(hashtext('facts.visitor'), slot) FROM unnest($1::int[]) AS slot) AS locked`;

/**
 * Locks all possible visitors of the events until the transaction ends, in the same order everywhere, so that batches
 * cannot deadlock.
 *
 * @returns the id of the transaction.
 */
export async function lockVisitors(client: pg.PoolClient, events: readonly DecidedEvent[]): Promise<string> {
  const slots = new Set<number>();
  for (const event of events) for (const visitor of event.visitors) slots.add(lockSlotOf(visitor));
  const sorted = [...slots].sort((a, b) => a - b);
  const { rows } = await client.query({
    name: "lock-visitors",
    text: LOCK_VISITORS,
    values: [`{${sorted.join(",")}}`],
  });
  return rows[0].xid;
}
