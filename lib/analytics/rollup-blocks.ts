import { LENGTHS, type Length } from "@/lib/analytics/cover";
import { addedUp, type Block, dropRollups, readBlocks, writeRollup } from "@/lib/analytics/rollup-lists";
import { type Db, db } from "@/lib/db";

/** Blocks of sealed days: what was added up by one process at a time, and longer blocks out of shorter ones. */

const SEAL_WITHIN_MS = 120_000;

/** The site was deleted while its days were added up. */
class SiteGone extends Error {}

/**
 * Adds up days of a site, unless another process is at it.
 *
 * @returns false when the site has been deleted; nothing is kept then.
 */
export async function sealing(siteId: number, work: (tx: Db) => Promise<void>): Promise<boolean> {
  try {
    await db().$transaction(
      async (tx) => {
        if (await takeTurn(tx, siteId)) await work(tx);
      },
      { timeout: SEAL_WITHIN_MS },
    );
  } catch (error) {
    if (error instanceof SiteGone) return false;
    throw error;
  }
  return true;
}

async function takeTurn(tx: Db, siteId: number): Promise<boolean> {
  const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtext('facts.rollup'), ${siteId}::int) AS mine`;
  return turn?.mine === true;
}

/**
 * Lets a site not be deleted before this transaction ends, so that what it leaves is there when the site's facts are
 * destroyed. Asked last: whoever deletes the site waits for a moment, and not until a day has been added up.
 */
async function holdSite(tx: Db, siteId: number): Promise<void> {
  const held = await tx.$queryRaw<unknown[]>`SELECT 1 FROM site WHERE id = ${siteId} FOR KEY SHARE`;
  if (held.length === 0) throw new SiteGone();
}

/** Marks blocks as complete: the last step of whoever adds them up. */
export async function markSealed(
  tx: Db,
  siteId: number,
  timezone: string,
  length: Length,
  blocks: number[],
  lenses: number[],
) {
  await holdSite(tx, siteId);
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
    const there = await sealing(siteId, async (tx) => {
      const [{ parts } = { parts: 0 }] = await tx.$queryRaw<{ parts: number }[]>`
        SELECT count(*)::int AS parts FROM facts.sealed WHERE site_id = ${siteId} AND traffic = ${traffic}
          AND length = ${shorter} AND block / ${each}::int = ${block} AND timezone = ${timezone}`;
      if (parts < each) return;
      await sealBlock(tx, { siteId, traffic, length, block }, shorter);
      await markSealed(tx, siteId, timezone, length, [block], [traffic]);
    });
    if (!there) return;
  }
}

async function sealBlock(tx: Db, where: Block, shorter: Length): Promise<void> {
  const each = where.length / shorter;
  await dropRollups(tx, where, [where.traffic]);
  const first = where.block * each;
  const parts = await readBlocks(tx, { ...where, length: shorter }, [first, first + each - 1]);
  for (const [dimension, lists] of parts) await writeRollup(tx, where, dimension, addedUp(lists));
}
