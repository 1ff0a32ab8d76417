import { createHash } from "node:crypto";
import { type Db, db, Prisma } from "@/lib/platform/db";
import { lockRow } from "@/lib/platform/lock-row";

/** The numbers of connections. A day is replaced as a whole, so that reading it again changes nothing. */

export const ROW_KINDS = { query: 1, page: 2, pair: 3 } as const;
export type RowKind = keyof typeof ROW_KINDS;

/** What a search engine counted on one day of its own calendar. */
export interface SearchNumbers {
  clicks: number;
  impressions: number;
  /** The sum of the positions of all impressions; null where the provider has no position of a whole property. */
  positionSum: number | null;
}

/** The numbers of a query, a page, or a page that a query showed. */
export interface SearchRow extends SearchNumbers {
  positionSum: number;
  /** Empty for a page. */
  query: string;
  /** Empty for a query. */
  page: string;
}

export interface SearchDay extends SearchNumbers {
  /** Such as 2026-11-20. */
  day: string;
}

const ROWS_PER_STATEMENT = 5_000;
const DELETED_PER_STATEMENT = 20_000;

/** The connection has been disconnected, or has another property now: what was read of it is not stored. */
export class ConnectionEnded extends Error {}

/** Runs work on the numbers of a connection, one after the other. @throws ConnectionEnded */
async function inConnection(connectionId: number, work: (tx: Db) => Promise<void>): Promise<void> {
  await db().$transaction(
    async (tx) => {
      if (!(await lockRow(tx, "search_connection", connectionId))) throw new ConnectionEnded();
      await work(tx);
    },
    { timeout: 60_000 },
  );
}

/** Stores the numbers of whole days. A day whose numbers have changed waits for its rows again. */
export async function storeDays(connectionId: number, days: readonly SearchDay[]): Promise<void> {
  await inConnection(connectionId, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO search_day AS known (connection_id, day, clicks, impressions, position_sum)
      SELECT ${connectionId}::int, * FROM unnest(
        ${days.map(({ day }) => day)}::date[], ${days.map(({ clicks }) => clicks)}::int[],
        ${days.map(({ impressions }) => impressions)}::int[], ${days.map(({ positionSum }) => positionSum)}::float8[])
      ON CONFLICT (connection_id, day) DO UPDATE SET
        clicks = excluded.clicks, impressions = excluded.impressions, position_sum = excluded.position_sum,
        fetched_at = CASE WHEN known.clicks = excluded.clicks AND known.impressions = excluded.impressions
          THEN known.fetched_at END`;
  });
}

/** Replaces all rows of a day, of the kinds that are given. */
export async function storeRows(
  connectionId: number,
  day: string,
  rows: Partial<Record<RowKind, readonly SearchRow[]>>,
  now: Date,
): Promise<void> {
  await inConnection(connectionId, async (tx) => {
    for (const [kind, found] of Object.entries(rows) as [RowKind, readonly SearchRow[]][]) {
      await tx.$executeRaw`
        DELETE FROM search_number
        WHERE connection_id = ${connectionId} AND kind = ${ROW_KINDS[kind]} AND day = ${day}::date`;
      for (let first = 0; first < found.length; first += ROWS_PER_STATEMENT)
        await insertRows(tx, connectionId, { kind, day }, found.slice(first, first + ROWS_PER_STATEMENT));
    }
    await tx.$executeRaw`
      UPDATE search_day SET fetched_at = ${now} WHERE connection_id = ${connectionId} AND day = ${day}::date`;
  });
}

const insertRows = (
  tx: Db,
  connectionId: number,
  { kind, day }: { kind: RowKind; day: string },
  rows: readonly SearchRow[],
) => tx.$executeRaw`
  INSERT INTO search_number (connection_id, kind, day, key, query, page, clicks, impressions, position_sum)
  SELECT ${connectionId}, ${ROW_KINDS[kind]}, ${day}::date, * FROM unnest(
    ${rows.map(keyOf)}::bytea[], ${rows.map(({ query }) => query)}::text[], ${rows.map(({ page }) => page)}::text[],
    ${rows.map(({ clicks }) => clicks)}::int[], ${rows.map(({ impressions }) => impressions)}::int[],
    ${rows.map(({ positionSum }) => positionSum)}::float8[])`;

const keyOf = ({ query, page }: SearchRow) =>
  new Uint8Array(createHash("sha256").update(`${query}\n${page}`).digest().subarray(0, 16));

/** Returns the days whose rows are not fetched yet, newest first. */
export async function daysToFetch(connectionId: number): Promise<string[]> {
  const days = await db().$queryRaw<{ day: string }[]>`
    SELECT day::text FROM search_day WHERE connection_id = ${connectionId} AND fetched_at IS NULL ORDER BY day DESC`;
  return days.map(({ day }) => day);
}

/** Deletes the numbers of a connection that is no more, step by step. @returns whether nothing is left */
export async function eraseNumbers(connectionId: number, more: () => boolean): Promise<boolean> {
  const isGone = await eraseInSteps(Prisma.sql`connection_id = ${connectionId}`, more);
  if (isGone) await db().$executeRaw`DELETE FROM search_day WHERE connection_id = ${connectionId}`;
  return isGone;
}

/** Deletes the numbers of a site before a day, step by step. @returns whether nothing is left */
export async function eraseSearchBefore(siteId: number, day: string, more: () => boolean): Promise<boolean> {
  const ofSite = Prisma.sql`
    connection_id IN (SELECT id FROM search_connection WHERE site_id = ${siteId}) AND day < ${day}::date`;
  const isGone = await eraseInSteps(ofSite, more);
  if (isGone) await db().$executeRaw`DELETE FROM search_day WHERE ${ofSite}`;
  return isGone;
}

async function eraseInSteps(which: Prisma.Sql, more: () => boolean): Promise<boolean> {
  while (more()) {
    const deleted = await db().$executeRaw`
      DELETE FROM search_number WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM search_number WHERE ${which} LIMIT ${DELETED_PER_STATEMENT}))`;
    if (deleted < DELETED_PER_STATEMENT) return true;
  }
  return false;
}
