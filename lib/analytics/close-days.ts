import { sealSite } from "@/lib/analytics/rollups";
import { db } from "@/lib/db";
import { describeError, log } from "@/lib/log";
import { isDatabaseAway } from "@/lib/pool";

/** How long one run of the job may begin new days, in milliseconds. */
const RUN_MS = 30_000;
/** A site that fails is tried again after five minutes, then ten, twenty and so on up to a day. */
const FIRST_RETRY_MS = 5 * 60_000;
const LONGEST_RETRY_MS = 24 * 3600_000;

interface Turn {
  id: number;
  timezone: string;
  failures: number;
}

/**
 * Closes the finished days of every site, beginning with the site that has waited longest. A site that fails is logged
 * and tried again later; the other sites go on.
 *
 * @param mayContinue asked before each site and after each day; sites that it leaves out come first in the next run.
 * @throws when the database is away: then no site can be closed.
 */
export async function closeDays(now: Date, mayContinue = within(RUN_MS)): Promise<void> {
  for (const turn of await waitingSites(now)) {
    if (!mayContinue()) return;
    // Before the work: a site whose days take all of a run, or end the process, goes to the back of the queue too.
    await beginTurn(turn.id);
    try {
      await sealSite(turn.id, turn.timezone, now, mayContinue);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      await postpone(turn, now, error);
      continue;
    }
    if (turn.failures > 0) await forgetFailures(turn.id);
  }
}

function within(ms: number): () => boolean {
  const until = Date.now() + ms;
  return () => Date.now() < until;
}

const waitingSites = (now: Date): Promise<Turn[]> =>
  db().$queryRaw<Turn[]>`
    SELECT site.id, site.timezone, coalesce(turn.failures, 0) AS failures
    FROM site LEFT JOIN closing_turn AS turn ON turn.site_id = site.id
    WHERE turn.retry_at IS NULL OR turn.retry_at <= ${now}
    ORDER BY turn.tried_at NULLS FIRST, site.id`;

/** By the clock of the database, the same for all processes. Nothing happens for a site that was deleted meanwhile. */
const beginTurn = (siteId: number): Promise<number> =>
  db().$executeRaw`
    INSERT INTO closing_turn (site_id, tried_at) SELECT id, clock_timestamp() FROM site WHERE id = ${siteId}
    ON CONFLICT (site_id) DO UPDATE SET tried_at = excluded.tried_at`;

async function postpone({ id, failures }: Turn, now: Date, error: unknown): Promise<void> {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), LONGEST_RETRY_MS);
  const retryAt = new Date(now.getTime() + waitMs);
  log.error(
    { site_id: id, failures: failures + 1, retry_at: retryAt, ...describeError(error) },
    "the days of a site could not be closed",
  );
  await db().closingTurn.updateMany({ where: { siteId: id }, data: { failures: failures + 1, retryAt } });
}

const forgetFailures = (siteId: number) =>
  db().closingTurn.updateMany({ where: { siteId }, data: { failures: 0, retryAt: null } });
