import { doubtOf, wasStored } from "@/lib/ingest/store/event-id";
import type { Doubt } from "@/lib/ingest/store/event-row";
import { Refusal } from "@/lib/platform/errors";
import { ingestPool } from "@/lib/platform/pool";

/**
 * Whether an event that comes with this id is stored already, as far as an id of ours tells; ids that senders chose are
 * claimed when they are written. Postgres is asked only about what was in doubt.
 *
 * @throws Refusal `unavailable` while it is not decided.
 */
export function isStored(eventId: string, siteId: number): boolean | Promise<boolean> {
  if (wasStored(eventId, siteId)) return true;
  const doubt = doubtOf(eventId, siteId);
  return doubt !== null && wasCommitted(doubt, siteId);
}

async function wasCommitted(doubt: Doubt, siteId: number): Promise<boolean> {
  const fate = await fateOf(doubt.xid);
  if (fate === "in progress") {
    throw new Refusal("unavailable", "Whether the event is stored is being decided; send it again.", undefined, 2);
  }
  return fate === "committed" && hasEvent(siteId, doubt.at);
}

/** What became of a transaction; null when Postgres knows nothing of it, being another or having forgotten it. */
async function fateOf(xid: string): Promise<"in progress" | "committed" | "aborted" | null> {
  try {
    const { rows } = await ingestPool().query("SELECT pg_xact_status($1::xid8) AS fate", [xid]);
    return rows[0].fate;
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
 * A Postgres that crashed before it wrote anything of a transaction down gives its number away again, to one that
 * commits: but what that one holds came later.
 */
async function hasEvent(siteId: number, at: Date): Promise<boolean> {
  const found = await ingestPool().query(HAS_EVENT, [siteId, at]);
  return found.rows.length > 0;
}
