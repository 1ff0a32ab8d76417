import { LIVE_TEST_MINUTES } from "@/lib/contract/storage-times";
import { deleteTrackingEvents, readTrackingCounts, readTrackingEvents } from "@/lib/ingest/store/live-window";
import { type Db, db, queriesIn } from "@/lib/platform/db";
import type { TrackedEvent, TrackingTest } from "@/lib/sites/tracking-shape";

/** Tracking tests: time windows in which managers see every received event of a site in detail. */

const DURATION_MS = 10 * 60_000;
/** How long the recorded events are kept after the end. */
const RETENTION_MS = LIVE_TEST_MINUTES * 60_000;

interface Window {
  startedAt: Date;
  endsAt: Date;
  stoppedAt: Date | null;
}

/** Starts a test of ten minutes. A running test is extended to ten minutes from now and keeps its events. */
export async function startTrackingTest(on: Db, siteId: number, now: Date): Promise<void> {
  const endsAt = new Date(now.getTime() + DURATION_MS);
  const { count } = await on.trackingTest.updateMany({
    where: { siteId, stoppedAt: null, endsAt: { gt: now } },
    data: { endsAt },
  });
  if (count > 0) return;
  await deleteTrackingEvents(queriesIn(on), [siteId]);
  const window = { startedAt: now, endsAt, stoppedAt: null };
  await on.trackingTest.upsert({ where: { siteId }, create: { siteId, ...window }, update: window });
}

/** Stops the test of a site if one is running. */
export async function stopTrackingTest(on: Db, siteId: number, now: Date): Promise<void> {
  await on.trackingTest.updateMany({
    where: { siteId, stoppedAt: null, endsAt: { gt: now } },
    data: { stoppedAt: now },
  });
}

/**
 * Returns the state of the site's test with its events.
 *
 * @param seen ids of events to leave out
 */
export async function readTrackingTest(
  on: Db,
  siteId: number,
  now: Date,
  seen: readonly string[] = [],
): Promise<TrackingTest> {
  const row = await on.trackingTest.findUnique({ where: { siteId } });
  if (!row || keptUntil(row) <= now) return { ...NONE, site_id: siteId };
  const [counts, hits] = await Promise.all([
    readTrackingCounts(queriesIn(on), siteId, row.startedAt),
    readEvents(on, siteId, row, seen),
  ]);
  return { site_id: siteId, ...stateOf(row, now), counts, hits };
}

const NONE = {
  status: "none",
  started_at: null,
  ends_at: null,
  stopped_at: null,
  kept_until: null,
  seconds_left: 0,
  counts: [],
  hits: [],
} as const satisfies Omit<TrackingTest, "site_id" | "counts" | "hits"> & { counts: []; hits: [] };

const endOf = ({ stoppedAt, endsAt }: Window): Date => stoppedAt ?? endsAt;
const keptUntil = (window: Window): Date => new Date(endOf(window).getTime() + RETENTION_MS);

function stateOf(window: Window, now: Date): Omit<TrackingTest, "site_id" | "counts" | "hits"> {
  const leftMs = Math.max(0, endOf(window).getTime() - now.getTime());
  return {
    status: leftMs > 0 ? "running" : "ended",
    started_at: window.startedAt.toISOString(),
    ends_at: window.endsAt.toISOString(),
    stopped_at: window.stoppedAt?.toISOString() ?? null,
    kept_until: keptUntil(window).toISOString(),
    seconds_left: Math.ceil(leftMs / 1000),
  };
}

async function readEvents(
  on: Db,
  siteId: number,
  { startedAt }: Window,
  seen: readonly string[],
): Promise<TrackedEvent[]> {
  const rows = await readTrackingEvents(queriesIn(on), siteId, startedAt, seen);
  return rows.map(({ id, at, record }) => ({ id, at: at.toISOString(), ...record }));
}

/** Deletes tests whose retention has ended, with their events. */
export async function sweepTrackingTests(now: Date): Promise<void> {
  const expired = { lte: new Date(now.getTime() - RETENTION_MS) };
  const ended = { OR: [{ stoppedAt: expired }, { endsAt: expired }] };
  const tests = await db().trackingTest.findMany({ where: ended, select: { siteId: true } });
  const siteIds = tests.map(({ siteId }) => siteId);
  if (siteIds.length === 0) return;
  await db().$transaction(async (tx) => {
    // A test that was restarted meanwhile keeps its row and its events.
    await tx.trackingTest.deleteMany({ where: { siteId: { in: siteIds }, ...ended } });
    const left = await tx.trackingTest.findMany({ where: { siteId: { in: siteIds } }, select: { siteId: true } });
    const running = new Set(left.map(({ siteId }) => siteId));
    await deleteTrackingEvents(
      queriesIn(tx),
      siteIds.filter((siteId) => !running.has(siteId)),
    );
  });
}
