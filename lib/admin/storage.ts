import { type MonthSize, readDatabaseSize, readDictionariesSize, readMonthSizes } from "@/lib/ingest/store/partitions";
import { db } from "@/lib/platform/db";

/** Database sizes in bytes, including indexes. */
export interface Storage {
  /** The whole database, including Postgres system tables. */
  database: number;
  /** Months that contain data, newest first. */
  months: MonthSize[];
  /** Dimension values, reserved event ids and ingest stats. */
  dictionaries: number;
  /** Version of the Postgres server. */
  postgres: string;
}

/** Returns the size of the database and of its parts. */
export async function readStorage(): Promise<Storage> {
  const [database, months, dictionaries, postgres] = await Promise.all([
    readDatabaseSize(),
    readMonthSizes(),
    readDictionariesSize(),
    readVersion(),
  ]);
  return { database, months, dictionaries, postgres };
}

async function readVersion(): Promise<string> {
  const [row] = await db().$queryRaw<{ postgres: string }[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS postgres`;
  return row?.postgres ?? "";
}
