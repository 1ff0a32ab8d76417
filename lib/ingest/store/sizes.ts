import { isDistributed } from "@/lib/ingest/store/partitions";
import { controlPool } from "@/lib/platform/pool";
import { type Sql, sql } from "@/lib/platform/sql";

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
