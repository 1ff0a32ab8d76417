import type pg from "pg";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

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
