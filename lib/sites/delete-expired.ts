import { retainedSince } from "@/lib/contract/retained-days";
import { deleteUnusedValues, eraseBefore } from "@/lib/ingest/store/erase";
import { db } from "@/lib/platform/db";
import { startOfDay } from "@/lib/platform/time";
import { eraseSearchBefore } from "@/lib/search/store/numbers";

/** Maximum duration of one run. */
const RUN_MS = 30_000;

/** Deletes events and search data older than each site's retention limit. Stops after 30 seconds; the next run continues. */
export async function deleteExpiredEvents(now: Date): Promise<void> {
  const until = Date.now() + RUN_MS;
  const sites = await db().site.findMany({
    where: { keepMonths: { not: null } },
    select: { id: true, timezone: true, keepMonths: true, keptFrom: true },
    orderBy: { id: "asc" },
  });
  for (const { id: siteId, timezone, keepMonths, keptFrom } of sites) {
    if (Date.now() >= until) return;
    const first = retainedSince(keepMonths as number, timezone, now);
    const day = new Date(`${first}`);
    if (keptFrom && keptFrom >= day) continue;
    const what = { siteId, first, start: startOfDay(first, timezone) };
    if (!(await eraseBefore(what, () => Date.now() < until))) continue;
    await deleteUnusedValues(what);
    if (!(await eraseSearchBefore(siteId, `${first}`, () => Date.now() < until))) continue;
    await db().site.updateMany({ where: { id: siteId }, data: { keptFrom: day } });
  }
}
