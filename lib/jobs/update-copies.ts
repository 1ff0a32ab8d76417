import { analytics } from "@/lib/analytics/engine/analytics";
import { storedSince } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { isUnavailable } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { processWide } from "@/lib/platform/process-wide";

/** Maximum duration of one run. */
const RUN_MS = 60_000;
/** Sites with fewer monthly events are skipped: the first report creates their copy in about a second. */
const MIN_MONTHLY_EVENTS = 10_000;
const MONTH_DAYS = 30;

interface BusySite {
  id: number;
  timezone: string;
}

/** The last site of a run that ran out of time. */
const position = processWide("update-copies", () => ({ after: 0 }));

/**
 * Updates the DuckDB copies of busy sites, so that the first report of the day does not wait for new events or
 * erasures. A failing site is logged and does not stop the others.
 *
 * @param hasTime returns whether the run may continue.
 */
export async function updateCopies(now: Date, hasTime = timeFor(RUN_MS)): Promise<void> {
  const sites = await busySites(now);
  const next = Math.max(
    0,
    sites.findIndex(({ id }) => id > position.after),
  );
  for (const { id, timezone } of [...sites.slice(next), ...sites.slice(0, next)]) {
    if (!hasTime()) return;
    position.after = id;
    await analytics()
      .query({ siteId: id, timezone }, [])
      .catch((error) => {
        // Unavailable: a first copy continues in the background, and other causes are already logged.
        if (!isUnavailable(error)) log.error({ site_id: id, ...describeError(error) }, "a copy failed");
      });
  }
}

function timeFor(ms: number): () => boolean {
  const until = Date.now() + ms;
  return () => Date.now() < until;
}

async function busySites(now: Date): Promise<BusySite[]> {
  const since = new Date(now.getTime() - (MONTH_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const { siteIds, events } = await storedSince(since);
  return db().$queryRaw<BusySite[]>`
    SELECT site.id, site.timezone FROM site
    JOIN unnest(${siteIds}::int[], ${events}::bigint[]) AS stored (site_id, events) ON stored.site_id = site.id
    WHERE stored.events >= ${MIN_MONTHLY_EVENTS} ORDER BY site.id`;
}
