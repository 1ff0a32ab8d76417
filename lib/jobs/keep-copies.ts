import { analytics } from "@/lib/analytics/engine/analytics";
import { storedSince } from "@/lib/ingest/store/stats/ingest-stats-counts";
import { db } from "@/lib/platform/db";
import { isUnavailable } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { processWide } from "@/lib/platform/process-wide";

/** How long one run goes on. */
const RUN_MS = 60_000;
/** With fewer events a month the copy of a site is made while its first reader waits, in about a second. */
const MANY_EVENTS = 10_000;
const MONTH_DAYS = 30;

interface Site {
  id: number;
  timezone: string;
}

/** Where a run that was out of time has stopped. */
const place = processWide("keep-copies", () => ({ after: 0 }));

/**
 * Brings the copies of busy sites up to date, so that nobody waits for the events of a night, nor for what was erased to be
 * written out of a large file. A site that fails is logged; the others go on.
 */
export async function keepCopies(now: Date, mayGoOn = within(RUN_MS)): Promise<void> {
  const sites = await busySites(now);
  const next = Math.max(
    0,
    sites.findIndex(({ id }) => id > place.after),
  );
  for (const { id, timezone } of [...sites.slice(next), ...sites.slice(0, next)]) {
    if (!mayGoOn()) return;
    place.after = id;
    await analytics()
      .query({ siteId: id, timezone }, [])
      .catch((error) => {
        // A first copy goes on by itself, and what hinders a copy is in the log already.
        if (!isUnavailable(error)) log.error({ site_id: id, ...describeError(error) }, "a copy failed");
      });
  }
}

function within(ms: number): () => boolean {
  const until = Date.now() + ms;
  return () => Date.now() < until;
}

function busySites(now: Date): Promise<Site[]> {
  const since = new Date(now.getTime() - (MONTH_DAYS - 1) * 24 * 3600_000).toISOString().slice(0, 10);
  return db().$queryRaw<Site[]>`
    SELECT site.id, site.timezone FROM site
    JOIN ${storedSince(since)} AS stored ON stored.site_id = site.id
    WHERE stored.hits >= ${MANY_EVENTS} ORDER BY site.id`;
}
