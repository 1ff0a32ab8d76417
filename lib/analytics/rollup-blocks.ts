import { LENGTHS, type Length } from "@/lib/analytics/cover";
import { addedUp, type Block, dropRollups, readBlocks, writeRollup } from "@/lib/analytics/rollup-lists";
import { type Db, db } from "@/lib/db";

/** Blocks of sealed days: what was added up by one process at a time, and longer blocks out of shorter ones. */

export const SEAL_WITHIN_MS = 120_000;

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

async function sealBlock(tx: Db, where: Block, shorter: Length): Promise<void> {
  const each = where.length / shorter;
  await dropRollups(tx, where, [where.traffic]);
  const first = where.block * each;
  const parts = await readBlocks(tx, { ...where, length: shorter }, [first, first + each - 1]);
  for (const [dimension, lists] of parts) await writeRollup(tx, where, dimension, addedUp(lists));
}
