import type pg from "pg";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";

/**
 * Two batches that meet the same visitor in the same moment must agree on one visit: each locks its visitors first.
 * Visitors share a fixed number of locks, so that any number of concurrent batches hold at most this many in all. A
 * Postgres with default settings has room for about 6,400 (max_locks_per_transaction × max_connections).
 */
export const LOCK_SLOTS = 512;

/** The ids of visitors are random numbers as decimal text: their last digits are spread evenly. */
export const lockSlotOf = (visitor: string): number => Math.abs(Number(visitor.slice(-6))) % LOCK_SLOTS;

/** One row, however many locks: each row that came back would have to be read. */
const LOCK_VISITORS = `
  SELECT count(*), pg_current_xact_id()::text AS xid
  FROM (SELECT pg_advisory_xact_lock(hashtext('facts.visitor'), slot) FROM unnest($1::int[]) AS slot) AS locked`;

/**
 * Locks all visitors whom these hits may come from until the transaction ends. Locks are taken in one order everywhere,
 * so that batches wait for each other but never in a circle.
 *
 * @returns the id of the transaction.
 */
export async function lockVisitors(client: pg.PoolClient, hits: readonly WritableEvent[]): Promise<string> {
  const slots = new Set<number>();
  for (const hit of hits) for (const visitor of hit.visitors) slots.add(lockSlotOf(visitor));
  const sorted = [...slots].sort((a, b) => a - b);
  const { rows } = await client.query({
    name: "lock-visitors",
    text: LOCK_VISITORS,
    values: [`{${sorted.join(",")}}`],
  });
  return rows[0].xid;
}
