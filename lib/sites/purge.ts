import { analytics } from "@/lib/analytics/engine/analytics";
import { siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { eraseSite } from "@/lib/ingest/store/erase";
import type { Db } from "@/lib/platform/db";
import { db } from "@/lib/platform/db";

/**
 * Ingest caches a site for up to ten seconds after its deletion and finishes pending writes, so events may still be
 * written for a deleted site. The purge waits until no more can arrive.
 */
const PURGE_DELAY_MS = 60_000;
/** Statements per run of the job, so that a stopping server does not wait for long. */
const CHUNKS_PER_RUN = 100;

/** Deletes a site with its domains, members, grants and salts immediately, and schedules the purge of its events. */
export async function deleteSite(on: Db, siteId: number, now: Date): Promise<void> {
  await supersedeApprovals(on, { siteId });
  const { count } = await on.site.deleteMany({ where: { id: siteId } });
  if (count === 0) throw siteNotGranted(siteId);
  await on.exchangeRate.deleteMany({ where: { siteId } });
  await on.sitePurge.create({ data: { siteId, requestedAt: now } });
}

/**
 * Purges the events of deleted sites. The purge row of a site stays until nothing is left, so that the next run
 * continues an interrupted one. Only one process works on a site at a time.
 */
export async function purgeSites(now: Date): Promise<void> {
  const purges = await db().sitePurge.findMany({
    where: { requestedAt: { lte: new Date(now.getTime() - PURGE_DELAY_MS) } },
    orderBy: { requestedAt: "asc" },
  });
  const budget = { chunks: CHUNKS_PER_RUN };
  for (const { siteId } of purges) if (budget.chunks > 0) await purgeSite(siteId, budget);
}

/** Returns when the next purge begins or continues; null when no deleted site is left. */
export async function nextPurgeAt(now: Date): Promise<Date | null> {
  const { _min } = await db().sitePurge.aggregate({ _min: { requestedAt: true } });
  if (!_min.requestedAt) return null;
  const startsAt = _min.requestedAt.getTime() + PURGE_DELAY_MS;
  return new Date(startsAt > now.getTime() ? startsAt : now.getTime() + PURGE_DELAY_MS);
}

/** Locks the purge row while it works; the deletions are committed in separate transactions, chunk by chunk. */
async function purgeSite(siteId: number, budget: { chunks: number }): Promise<void> {
  await db().$transaction(
    async (tx) => {
      const locked = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM site_purge WHERE site_id = ${siteId} FOR UPDATE SKIP LOCKED`;
      if (locked.length === 0 || !(await eraseSite(siteId, () => budget.chunks-- > 0))) return;
      await analytics().forget(siteId);
      await tx.sitePurge.deleteMany({ where: { siteId } });
    },
    { maxWait: 10_000, timeout: 120_000 },
  );
}
