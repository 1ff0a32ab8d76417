import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { describeError, log } from "@/lib/platform/log";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/** What becomes of hits while their site has a live window open: kept for its owner to look at, and never waited for. */

/** Which windows are open is read this often at most, and only while hits come: so soon does a new one take effect. */
export const WINDOWS_KNOWN_MS = 500;
const FLUSH_MS = 100;
/** Of one site, in one writing; all others are only counted. */
const MOST_AT_ONCE = 20;
/** Hits that are kept of one window: the newest. */
export const MOST_KEPT = 200;

interface Window {
  startedAt: Date;
  endsAt: Date;
}

/** What one window has seen since the last writing. */
interface Seen {
  siteId: number;
  startedAt: Date;
  hits: { at: Date; told: EventDebugRecord }[];
  /** By outcome and class. */
  counts: Map<string, { told: EventDebugRecord; hits: number }>;
}

const shelf = processWide("live-windows", () => ({
  open: new Map<number, Window>(),
  readAt: Number.NEGATIVE_INFINITY,
  reading: null as Promise<void> | null,
  seen: new Map<string, Seen>(),
  timer: null as NodeJS.Timeout | null,
  /** Settled when what was taken up last is written. */
  writing: Promise.resolve(),
}));

/**
 * Shows a hit in the live window of its site, if one is open.
 *
 * @param tell describes it; asked only then.
 */
export function showInLiveWindow(siteId: number, at: Date, tell: () => EventDebugRecord): void {
  const ageMs = at.getTime() - shelf.readAt;
  if (shelf.reading === null && ageMs >= 0 && ageMs < WINDOWS_KNOWN_MS) {
    if (shelf.open.size > 0) keep(siteId, at, tell);
    return;
  }
  shelf.reading ??= readWindows(at);
  shelf.reading.then(() => keep(siteId, at, tell));
}

/** While they cannot be read, those that are known stay open. */
async function readWindows(now: Date): Promise<void> {
  try {
    const { rows } = await ingestPool().query({
      name: "open-live-windows",
      text: "SELECT site_id, started_at, ends_at FROM tracking_test WHERE stopped_at IS NULL",
    });
    shelf.open = new Map(rows.map((row) => [row.site_id, { startedAt: row.started_at, endsAt: row.ends_at }]));
  } catch (error) {
    log.warn(describeError(error), "which live windows are open could not be read");
  } finally {
    shelf.readAt = now.getTime();
    shelf.reading = null;
  }
}

function keep(siteId: number, at: Date, tell: () => EventDebugRecord): void {
  const window = shelf.open.get(siteId);
  if (!window || at >= window.endsAt) return;
  const { startedAt } = window;
  const name = `${siteId}|${startedAt.getTime()}`;
  const seen: Seen = shelf.seen.get(name) ?? { siteId, startedAt, hits: [], counts: new Map() };
  shelf.seen.set(name, seen);
  const told = tell();
  const kind = `${told.outcome}|${told.class?.traffic ?? ""}`;
  const count = seen.counts.get(kind) ?? { told, hits: 0 };
  seen.counts.set(kind, { told, hits: count.hits + told.events });
  if (seen.hits.length < MOST_AT_ONCE) seen.hits.push({ at, told });
  shelf.timer ??= setTimeout(flushLiveWindows, FLUSH_MS).unref();
}

/** Writes what was seen so far, after those who do so already. What cannot be written is not kept. */
export function flushLiveWindows(): Promise<void> {
  const { reading, writing } = shelf;
  shelf.writing = Promise.all([reading, writing])
    .then(write)
    .catch((error) => log.warn(describeError(error), "hits of a live window were not written"));
  return shelf.writing;
}

async function write(): Promise<void> {
  if (shelf.timer) clearTimeout(shelf.timer);
  shelf.timer = null;
  // One order for all processes, so that they never wait for each other in a circle.
  const seen = [...shelf.seen.values()].sort((a, b) => a.siteId - b.siteId);
  shelf.seen.clear();
  if (seen.length === 0) return;
  const hits = seen.flatMap((one) => one.hits.map((hit) => ({ ...one, ...hit })));
  await ingestPool().query({
    name: "keep-live-hits",
    text: `INSERT INTO facts.tracking_hit (site_id, started_at, at, told)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::text[]::jsonb[])`,
    values: [
      hits.map(({ siteId }) => siteId),
      hits.map(({ startedAt }) => startedAt),
      hits.map(({ at }) => at),
      hits.map(({ told }) => JSON.stringify(told)),
    ],
  });
  await count(seen);
  await ingestPool().query({ name: "trim-live-hits", text: TRIM, values: [seen.map(({ siteId }) => siteId)] });
}

async function count(seen: readonly Seen[]): Promise<void> {
  const counts = seen.flatMap((one) =>
    [...one.counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, more]) => ({ ...one, ...more })),
  );
  await ingestPool().query({
    name: "count-live-hits",
    text: `INSERT INTO facts.tracking_count AS kept (site_id, started_at, outcome, traffic, hits)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[])
           ON CONFLICT (site_id, started_at, outcome, traffic) DO UPDATE SET hits = kept.hits + excluded.hits`,
    values: [
      counts.map(({ siteId }) => siteId),
      counts.map(({ startedAt }) => startedAt),
      counts.map(({ told }) => told.outcome),
      counts.map(({ told }) => told.class?.traffic ?? ""),
      counts.map(({ hits }) => hits),
    ],
  });
}

const TRIM = `
  DELETE FROM facts.tracking_hit AS hit USING unnest($1::int[]) AS seen(site_id)
  WHERE hit.site_id = seen.site_id AND hit.id <= (
    SELECT id FROM facts.tracking_hit WHERE site_id = seen.site_id ORDER BY id DESC OFFSET ${MOST_KEPT} LIMIT 1)`;
