import { db } from "@/lib/platform/db";

/** How much space facts take on disk, in bytes with indexes. */

/** What one month (UTC) of facts takes. */
export interface MonthSize {
  /** As in 2026-11. */
  month: string;
  events: number;
  visits: number;
}

/**
 * The sizes of months that hold anything, the newest first. A partition is named after its month, as event_2026_11; one
 * that was never written to holds only empty indexes.
 */
export const readMonthSizes = (): Promise<MonthSize[]> =>
  db().$queryRaw<MonthSize[]>`
    SELECT replace(right(part.relname, 7), '_', '-') AS month,
      coalesce(sum(pg_total_relation_size(part.oid)) FILTER (WHERE parent.relname = 'event'), 0)::float8 AS events,
      coalesce(sum(pg_total_relation_size(part.oid)) FILTER (WHERE parent.relname = 'visit'), 0)::float8 AS visits
    FROM pg_inherits
    JOIN pg_class AS part ON part.oid = inhrelid
    JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE inhparent IN ('facts.event'::regclass, 'facts.visit'::regclass)
    GROUP BY 1 HAVING sum(pg_relation_size(part.oid)) > 0 ORDER BY 1 DESC`;

/** The size of all that is not partitioned: dictionaries, keys of events and counts of what arrived. */
export async function readDictionariesSize(): Promise<number> {
  const [row] = await db().$queryRaw<{ size: number }[]>`
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS size
    FROM pg_class WHERE relnamespace = 'facts'::regnamespace AND relkind = 'r' AND NOT relispartition`;
  return row?.size ?? 0;
}
