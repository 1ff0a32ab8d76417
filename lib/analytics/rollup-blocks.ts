import { LENGTHS, type Length } from "@/lib/analytics/cover";
import { ROLLUP_COLUMNS, rollupRows } from "@/lib/analytics/sources";
import { type Db, db, Prisma } from "@/lib/db";

/** Blocks of sealed days: what was added up by one process at a time, and longer blocks out of shorter ones. */

export const SEAL_WITHIN_MS = 120_000;

export interface Block {
  siteId: number;
  traffic: number;
  length: Length;
  block: number;
}

export const COLUMNS = Prisma.join(ROLLUP_COLUMNS.map(({ column }) => column));

/** @returns false when another process is sealing this site. */
export async function takeTurn(tx: Db, siteId: number): Promise<boolean> {
  const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtext('facts.rollup'), ${siteId}::int) AS mine`;
  return turn?.mine === true;
}

export async function markSealed(
  tx: Db,
  siteId: number,
  timezone: string,
  length: Length,
  blocks: number[],
  lenses: number[],
) {
  await tx.$executeRaw`
    INSERT INTO facts.sealed (site_id, block, length, traffic, timezone)
    SELECT ${siteId}, block, ${length}, traffic, ${timezone}
    FROM unnest(${blocks}::int[]) AS block, unnest(${lenses}::smallint[]) AS traffic ON CONFLICT DO NOTHING`;
}

/** Adds up the blocks of a length of which every shorter block is sealed. */
export async function sealBlocks(siteId: number, timezone: string, length: 8 | 64): Promise<void> {
  const shorter = LENGTHS[LENGTHS.indexOf(length) + 1] as Length;
  const each = length / shorter;
  const complete = await db().$queryRaw<{ traffic: number; block: number }[]>`
    SELECT traffic, block / ${each}::int AS block FROM facts.sealed WHERE site_id = ${siteId} AND length = ${shorter}
    GROUP BY 1, 2 HAVING count(*) = ${each}::int
    EXCEPT SELECT traffic, block FROM facts.sealed WHERE site_id = ${siteId} AND length = ${length}`;
  for (const { traffic, block } of complete) {
    await db().$transaction(
      async (tx) => {
        if (!(await takeTurn(tx, siteId))) return;
        const [{ parts } = { parts: 0 }] = await tx.$queryRaw<{ parts: number }[]>`
          SELECT count(*)::int AS parts FROM facts.sealed WHERE site_id = ${siteId} AND traffic = ${traffic}
            AND length = ${shorter} AND block / ${each}::int = ${block} AND timezone = ${timezone}`;
        if (parts < each) return;
        await sealBlock(tx, { siteId, traffic, length, block }, shorter);
        await markSealed(tx, siteId, timezone, length, [block], [traffic]);
      },
      { timeout: SEAL_WITHIN_MS },
    );
  }
}

async function sealBlock(tx: Db, { siteId, traffic, length, block }: Block, shorter: Length): Promise<void> {
  const each = length / shorter;
  await tx.$executeRaw`
    DELETE FROM facts.rollup WHERE site_id = ${siteId} AND traffic = ${traffic} AND length = ${length} AND block = ${block}`;
  const added = ROLLUP_COLUMNS.map(({ column }) => Prisma.sql`sum(one.${column}) AS ${column}`);
  await insertRollups(
    tx,
    Prisma.sql`
      SELECT site_id, traffic, ${length}::smallint AS length, dimension, ${block}::int AS block, one.value, ${Prisma.join(added)}
      FROM ${rollupRows(ROLLUP_COLUMNS)} WHERE rollup.site_id = ${siteId} AND rollup.traffic = ${traffic} AND rollup.length = ${shorter}
        AND rollup.block BETWEEN ${block * each} AND ${block * each + each - 1}
      GROUP BY site_id, traffic, dimension, one.value`,
  );
}

/** Writes rows `site_id, traffic, length, dimension, block, value, …` as lists. */
async function insertRollups(tx: Db, rows: Prisma.Sql): Promise<void> {
  const lists = ROLLUP_COLUMNS.map(({ column }) => Prisma.sql`array_agg(${column} ORDER BY value)`);
  await tx.$executeRaw`
    INSERT INTO facts.rollup (site_id, traffic, length, dimension, block, value, ${COLUMNS})
    SELECT site_id, traffic, length, dimension, block, array_agg(value ORDER BY value), ${Prisma.join(lists)}
    FROM (${rows}) AS rows GROUP BY site_id, traffic, length, dimension, block`;
}
