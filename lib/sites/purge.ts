import { analytics } from "@/lib/analytics/engine/analytics";
import { siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { eraseSite } from "@/lib/ingest/store/erase";
import type { Db } from "@/lib/platform/db";
import { db } from "@/lib/platform/db";

/**
 * Ingest knows a site for up to ten seconds after it is gone and the writer finishes what it has begun: facts may
 * still arrive for a deleted site. They are destroyed only when none can come any more.
 */
const SETTLED_MS = 60_000;
/** Statements in one run of the job: a stopping server does not wait for long. */
const CHUNKS_A_RUN = 100;

/** Deletes a site with its domains, members, grants and salts at once, and orders its facts to be destroyed. */
export async function deleteSite(on: Db, siteId: number, now: Date): Promise<void> {
  await supersedeApprovals(on, { siteId });
  const { count } = await on.site.deleteMany({ where: { id: siteId } });
  if (count === 0) throw siteNotGranted(siteId);
  await on.exchangeRate.deleteMany({ where: { siteId } });
  await on.sitePurge.create({ data: { siteId, requestedAt: now } });
}

/**
 * Destroys the facts of deleted sites. The order for a site stays until nothing is left, so that a run that was cut
 * short is taken up by the next; of several processes one is at a site and the others pass on.
 */
export async function purgeSites(now: Date): Promise<void> {
  const orders = await db().sitePurge.findMany({
    where: { requestedAt: { lte: new Date(now.getTime() - SETTLED_MS) } },
    orderBy: { requestedAt: "asc" },
  });
  const budget = { chunks: CHUNKS_A_RUN };
  for (const { siteId } of orders) if (budget.chunks > 0) await purgeSite(siteId, budget);
}

/** Holds the order for as long as it works on it; what it destroys is committed chunk by chunk beside that. */
async function purgeSite(siteId: number, budget: { chunks: number }): Promise<void> {
  await db().$transaction(
    async (tx) => {
      const order = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM site_purge WHERE site_id = ${siteId} FOR UPDATE SKIP LOCKED`;
      if (order.length === 0 || !(await eraseSite(siteId, () => budget.chunks-- > 0))) return;
      await analytics().forget(siteId);
      await tx.sitePurge.deleteMany({ where: { siteId } });
    },
    { maxWait: 10_000, timeout: 120_000 },
  );
}
