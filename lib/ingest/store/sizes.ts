import { isDistributed } from "@/lib/ingest/store/distributed";
import { db, Prisma } from "@/lib/platform/db";

/** Disk usage in bytes, including indexes, on all nodes. */

/** SQL functions for the size of a table with its indexes, and for that of its rows alone. */
const sizeFunctions = async () =>
  (await isDistributed())
    ? { total: Prisma.sql`citus_total_relation_size`, rows: Prisma.sql`citus_relation_size` }
    : { total: Prisma.sql`pg_total_relation_size`, rows: Prisma.sql`pg_relation_size` };

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
  return db().$queryRaw<MonthSize[]>`
    SELECT replace(right(part.relname, 7), '_', '-') AS month,
      coalesce(sum(${total}(part.oid)) FILTER (WHERE parent.relname = 'event'), 0)::float8 AS events,
      coalesce(sum(${total}(part.oid)) FILTER (WHERE parent.relname = 'visit'), 0)::float8 AS visits
    FROM pg_inherits
    JOIN pg_class AS part ON part.oid = inhrelid
    JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE inhparent IN ('facts.event'::regclass, 'facts.visit'::regclass)
    GROUP BY 1 HAVING sum(${rows}(part.oid)) > 0 ORDER BY 1 DESC`;
}

/** Returns the size of all tables that are not partitioned: dictionaries, event keys and ingest stats. */
export async function readDictionariesSize(): Promise<number> {
  const { total } = await sizeFunctions();
  const [row] = await db().$queryRaw<{ size: number }[]>`
    SELECT coalesce(sum(${total}(oid)), 0)::float8 AS size
    FROM pg_class WHERE relnamespace = 'facts'::regnamespace AND relkind = 'r' AND NOT relispartition`;
  return row?.size ?? 0;
}

/** Returns the size of the whole database, including the system tables of Postgres. */
export async function readDatabaseSize(): Promise<number> {
  const [row] = (await isDistributed())
    ? await db().$queryRaw<{ size: number }[]>`
        SELECT sum(result::bigint)::float8 AS size
        FROM run_command_on_all_nodes('SELECT pg_database_size(current_database())')`
    : await db().$queryRaw<{ size: number }[]>`SELECT pg_database_size(current_database())::float8 AS size`;
  return row?.size ?? 0;
}
