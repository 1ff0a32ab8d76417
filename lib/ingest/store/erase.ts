import { db, Prisma } from "@/lib/db";

/** Rows in one statement: neither a lock nor a stopping server waits for long. */
const CHUNK_ROWS = 5_000;

/** Rows that are to be destroyed. */
export interface Doomed {
  table: Prisma.Sql;
  /** What an index on (site_id, …) has to walk them by; none where many rows share each of its values. */
  by?: Prisma.Sql | undefined;
  where: Prisma.Sql;
}

/**
 * Destroys rows chunk by chunk, each of which is committed by itself.
 *
 * @param mayGoOn asked before each chunk.
 * @returns whether none is left.
 */
export async function destroyRows({ table, by, where }: Doomed, mayGoOn: () => boolean): Promise<boolean> {
  const chunk = by
    ? Prisma.sql`${where} AND ${by} <= (
        SELECT place FROM (SELECT ${by} AS place FROM ${table} WHERE ${where} ORDER BY ${by} LIMIT ${CHUNK_ROWS}) AS chunk
        ORDER BY place DESC LIMIT 1)`
    : Prisma.sql`ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${CHUNK_ROWS}))`;
  let destroyed = CHUNK_ROWS;
  while (destroyed >= CHUNK_ROWS) {
    if (!mayGoOn()) return false;
    destroyed = await db().$executeRaw`DELETE FROM ${table} WHERE ${chunk}`;
  }
  return true;
}
