import type pg from "pg";
import { controlPool, ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { type Sql, sql } from "@/lib/platform/sql";

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

/** Disk usage in bytes, including indexes, on all nodes. */

/** SQL functions for the size of a table with its indexes, and for that of its rows alone. */
const sizeFunctions = async () =>
  (await isDistributed())
    ? { total: sql`citus_total_relation_size`, rows: sql`citus_relation_size` }
    : { total: sql`pg_total_relation_size`, rows: sql`pg_relation_size` };

/** Disk usage of one month (UTC) of facts. */
export interface MonthSize {
  /** Such as 2026-11. */
  month: string;
  events: number;
  visits: number;
}

/**
 * Returns the sizes of months with data, newest first. Partitions are named after their month, such as event_2026_11;
 * one that was never written to has only empty indexes.
 */
export async function readMonthSizes(): Promise<MonthSize[]> {
  const { total, rows } = await sizeFunctions();
  const { rows: sizes } = await controlPool().query<MonthSize>(sql`
    SELECT replace(right(part.relname, 7), '_', '-') AS month,
      coalesce(sum(${total}(part.oid)) FILTER (WHERE parent.relname = 'event'), 0)::float8 AS events,
      coalesce(sum(${total}(part.oid)) FILTER (WHERE parent.relname = 'visit'), 0)::float8 AS visits
    FROM pg_inherits
    JOIN pg_class AS part ON part.oid = inhrelid
    JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE inhparent IN ('facts.event'::regclass, 'facts.visit'::regclass)
    GROUP BY 1 HAVING sum(${rows}(part.oid)) > 0 ORDER BY 1 DESC`);
  return sizes;
}

/** Returns the size of all tables that are not partitioned: dictionaries, event keys and ingest stats. */
export async function readDictionariesSize(): Promise<number> {
  const { total } = await sizeFunctions();
  return sizeBy(sql`
    SELECT coalesce(sum(${total}(oid)), 0)::float8 AS size
    FROM pg_class WHERE relnamespace = 'facts'::regnamespace AND relkind = 'r' AND NOT relispartition`);
}

/** Returns the size of the whole database, including the system tables of Postgres. */
export async function readDatabaseSize(): Promise<number> {
  return sizeBy(
    (await isDistributed())
      ? sql`
        SELECT sum(result::bigint)::float8 AS size
        FROM run_command_on_all_nodes('SELECT pg_database_size(current_database())')`
      : sql`SELECT pg_database_size(current_database())::float8 AS size`,
  );
}

async function sizeBy(statement: Sql): Promise<number> {
  const { rows } = await controlPool().query<{ size: number }>(statement);
  return rows[0]?.size ?? 0;
}
