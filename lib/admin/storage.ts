import { db } from "@/lib/db";

/** What one month (UTC) of facts takes, in bytes with indexes. */
export interface MonthSize {
  /** As in 2026-11. */
  month: string;
  events: number;
  visits: number;
}

/** What the database takes, in bytes with indexes. */
export interface Storage {
  /** Everything, Postgres's own tables included. */
  database: number;
  /** Months that hold anything, the newest first. */
  months: MonthSize[];
  /** The words that facts refer to, keys of events and counts of what arrived. */
  dictionaries: number;
  postgres: string;
}

/** How large the database is, and what of it is for what. */
export async function readStorage(): Promise<Storage> {
  const [whole, months, [rest]] = await Promise.all([readWhole(), readMonths(), readDictionaries()]);
  return { ...whole, months, dictionaries: rest?.dictionaries ?? 0 };
}

async function readWhole(): Promise<{ database: number; postgres: string }> {
  const [row] = await db().$queryRaw<{ database: number; postgres: string }[]>`
    SELECT pg_database_size(current_database())::float8 AS database,
      split_part(current_setting('server_version'), ' ', 1) AS postgres`;
  return row ?? { database: 0, postgres: "" };
}

/** A partition is named after its month, as event_2026_11; one that was never written to holds only empty indexes. */
const readMonths = () =>
  db().$queryRaw<MonthSize[]>`
    SELECT replace(right(part.relname, 7), '_', '-') AS month,
      coalesce(sum(pg_total_relation_size(part.oid)) FILTER (WHERE parent.relname = 'event'), 0)::float8 AS events,
      coalesce(sum(pg_total_relation_size(part.oid)) FILTER (WHERE parent.relname = 'visit'), 0)::float8 AS visits
    FROM pg_inherits
    JOIN pg_class AS part ON part.oid = inhrelid
    JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE inhparent IN ('facts.event'::regclass, 'facts.visit'::regclass)
    GROUP BY 1 HAVING sum(pg_relation_size(part.oid)) > 0 ORDER BY 1 DESC`;

const readDictionaries = () =>
  db().$queryRaw<{ dictionaries: number }[]>`
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS dictionaries
    FROM pg_class WHERE relnamespace = 'facts'::regnamespace AND relkind = 'r' AND NOT relispartition`;
