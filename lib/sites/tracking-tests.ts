import { deleteTrackingEvents, readTrackingCounts, readTrackingEvents } from "@/lib/ingest/store/tracking-events";
import { type Db, db } from "@/lib/platform/db";
import type { TrackedHit, TrackingTest } from "@/lib/sites/tracking-shape";

/** A live window in which an owner sees each hit of a site as it was read. */

const RUNS_MS = 10 * 60_000;
/** What was seen is kept for this long after the end. */
const KEPT_MS = 60 * 60_000;

interface Window {
  startedAt: Date;
  endsAt: Date;
  stoppedAt: Date | null;
}

/** Opens a window of ten minutes; one that is open lasts ten minutes from now, and keeps what it has seen. */
export async function startTrackingTest(on: Db, siteId: number, now: Date): Promise<void> {
  const endsAt = new Date(now.getTime() + RUNS_MS);
  const { count } = await on.trackingTest.updateMany({
    where: { siteId, stoppedAt: null, endsAt: { gt: now } },
    data: { endsAt },
  });
  if (count > 0) return;
  await deleteTrackingEvents(on, [siteId]);
  const window = { startedAt: now, endsAt, stoppedAt: null };
  await on.trackingTest.upsert({ where: { siteId }, create: { siteId, ...window }, update: window });
}

/** Ends the window of a site, if one is open. */
export async function stopTrackingTest(on: Db, siteId: number, now: Date): Promise<void> {
  await on.trackingTest.updateMany({
    where: { siteId, stoppedAt: null, endsAt: { gt: now } },
    data: { stoppedAt: now },
  });
}

/**
 * How a site's window stands and what it has seen.
 *
 * @param seen ids of hits that are not asked for again.
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
    readTrackingCounts(on, siteId, row.startedAt),
    readHits(on, siteId, row, seen),
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
const keptUntil = (window: Window): Date => new Date(endOf(window).getTime() + KEPT_MS);

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

async function readHits(on: Db, siteId: number, { startedAt }: Window, seen: readonly string[]): Promise<TrackedHit[]> {
  const rows = await readTrackingEvents(on, siteId, startedAt, seen);
  return rows.map(({ id, at, told }) => ({ id, at: at.toISOString(), ...told }));
}

/** Deletes what windows have seen whose time is over. */
export async function sweepTrackingTests(now: Date): Promise<void> {
  const over = { lte: new Date(now.getTime() - KEPT_MS) };
  const ended = { OR: [{ stoppedAt: over }, { endsAt: over }] };
  const tests = await db().trackingTest.findMany({ where: ended, select: { siteId: true } });
  const siteIds = tests.map(({ siteId }) => siteId);
  if (siteIds.length === 0) return;
  await db().$transaction(async (tx) => {
    // One that has begun anew meanwhile stays, and so does what it sees.
    await tx.trackingTest.deleteMany({ where: { siteId: { in: siteIds }, ...ended } });
    const left = await tx.trackingTest.findMany({ where: { siteId: { in: siteIds } }, select: { siteId: true } });
    const running = new Set(left.map(({ siteId }) => siteId));
    await deleteTrackingEvents(
      tx,
      siteIds.filter((siteId) => !running.has(siteId)),
    );
  });
}
