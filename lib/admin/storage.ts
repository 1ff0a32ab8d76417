import { type MonthSize, readDictionariesSize, readMonthSizes } from "@/lib/ingest/store/sizes";
import { db } from "@/lib/platform/db";

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
  const [whole, months, dictionaries] = await Promise.all([readWhole(), readMonthSizes(), readDictionariesSize()]);
  return { ...whole, months, dictionaries };
}

async function readWhole(): Promise<{ database: number; postgres: string }> {
  const [row] = await db().$queryRaw<{ database: number; postgres: string }[]>`
    SELECT pg_database_size(current_database())::float8 AS database,
      split_part(current_setting('server_version'), ' ', 1) AS postgres`;
  return row ?? { database: 0, postgres: "" };
}
