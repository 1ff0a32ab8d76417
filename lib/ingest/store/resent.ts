import { doubtOf, wasStored } from "@/lib/ingest/store/event-id";
import type { Doubt } from "@/lib/ingest/store/event-row";
import { Refusal } from "@/lib/platform/errors";
import { ingestPool } from "@/lib/platform/pool";

/**
 * Whether an event with this server-generated id is already stored. Ids that senders chose are checked when the event
 * is written. Queries Postgres only for ids of in-doubt events.
 *
 * @throws Refusal `unavailable` while that transaction is still in progress.
 */
export function isStored(eventId: string, siteId: number): boolean | Promise<boolean> {
  if (wasStored(eventId, siteId)) return true;
  const doubt = doubtOf(eventId, siteId);
  return doubt !== null && wasCommitted(doubt, siteId);
}

async function wasCommitted(doubt: Doubt, siteId: number): Promise<boolean> {
  const status = await statusOf(doubt.xid);
  if (status === "in progress") {
    throw new Refusal("unavailable", "The event is still being stored; send it again.", undefined, 2);
  }
  return status === "committed" && hasEvent(siteId, doubt.at);
}

/**
 * Returns the status of a transaction; null when Postgres does not know it, because it is another server or too old.
 */
async function statusOf(xid: string): Promise<"in progress" | "committed" | "aborted" | null> {
  try {
    const { rows } = await ingestPool().query("SELECT pg_xact_status($1::xid8) AS status", [xid]);
    return rows[0].status;
  } catch (error) {
    const inTheFuture = (error as { code?: unknown }).code === "22023";
    if (inTheFuture) return null;
    throw error;
  }
}

const HAS_EVENT = `
  SELECT FROM facts.event
  WHERE site_id = $1 AND ts >= $2::timestamptz
    AND ts < $2::timestamptz + interval '1 millisecond' LIMIT 1`;

/**
 * Whether an event of that time exists. A Postgres that crashed before it logged a transaction reuses its id for a
 * later one that commits, but then the events are later, too.
 */
async function hasEvent(siteId: number, at: Date): Promise<boolean> {
  const found = await ingestPool().query(HAS_EVENT, [siteId, at]);
  return found.rows.length > 0;
}
