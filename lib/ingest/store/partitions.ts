import type pg from "pg";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/** Facts are partitioned by month (UTC). */

/** Months (as year × 12 + month) for which each database has partitions. */
const knownMonths = processWide("known-months", () => new WeakMap<pg.Pool, Set<number>>());

/** Creates the partitions of a month, unless they exist. */
export async function addMonth(at: Date): Promise<void> {
  await ingestPool().query("SELECT facts.add_month($1::date)", [`${at.toISOString().slice(0, 7)}-01`]);
}

/** Creates the partitions that facts of these times need. */
export async function ensureMonths(times: readonly Date[]): Promise<void> {
  const pool = ingestPool();
  const known = knownMonths.get(pool) ?? new Set();
  knownMonths.set(pool, known);
  for (const at of times) {
    const month = at.getUTCFullYear() * 12 + at.getUTCMonth();
    if (known.has(month)) continue;
    await addMonth(at);
    known.add(month);
  }
}

const known = processWide("distributed", () => new WeakMap<pg.Pool, Promise<boolean>>());

/** Returns whether the facts are in Citus, the distributed Postgres (`npm run distribute`). Asked once per pool. */
export function isDistributed(): Promise<boolean> {
  const pool = ingestPool();
  const asked = known.get(pool) ?? ask(pool);
  known.set(pool, asked);
  asked.catch(() => known.delete(pool));
  return asked;
}

async function ask(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found");
  return rows[0].found;
}
