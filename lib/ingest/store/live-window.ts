import type { TrafficClass } from "@/lib/contract/vocabulary";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { describeError, log } from "@/lib/platform/log";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { type Queries, sql } from "@/lib/platform/sql";

/**
 * Shows events in the live window of their site while one is open, and reads what it has shown. Events never wait for it. A
 * window is identified by its start time.
 */

/**
 * Open windows are read at most this often, and only while events arrive, so a new window takes effect within this
 * time.
 */
export const WINDOWS_CACHE_MS = 500;
const FLUSH_MS = 100;
/** Events of one site stored per flush; the others are only counted. */
const MAX_PER_FLUSH = 20;
/** Events stored per window: the newest. */
export const MAX_WINDOW_EVENTS = 200;

interface Window {
  startedAt: Date;
  endsAt: Date;
}

/** Events and counts of one window since the last flush. */
interface Buffered {
  siteId: number;
  startedAt: Date;
  events: { at: Date; record: EventDebugRecord }[];
  /** By outcome and class. */
  counts: Map<string, { record: EventDebugRecord; events: number }>;
}

const state = processWide("live-windows", () => ({
  open: new Map<number, Window>(),
  readAt: Number.NEGATIVE_INFINITY,
  reading: null as Promise<void> | null,
  buffered: new Map<string, Buffered>(),
  timer: null as NodeJS.Timeout | null,
  /** Settles when the current flush is written. */
  writing: Promise.resolve(),
}));

/**
 * Adds an event to the live window of its site, if one is open.
 *
 * @param createRecord creates the record; called only if a window is open.
 */
export function showInLiveWindow(siteId: number, at: Date, createRecord: () => EventDebugRecord): void {
  const ageMs = at.getTime() - state.readAt;
  if (state.reading === null && ageMs >= 0 && ageMs < WINDOWS_CACHE_MS) {
    if (state.open.size > 0) buffer(siteId, at, createRecord);
    return;
  }
  state.reading ??= readWindows(at);
  void state.reading.then(() => buffer(siteId, at, createRecord));
}

/** If the read fails, the known windows stay open. */
async function readWindows(now: Date): Promise<void> {
  try {
    const { rows } = await ingestPool().query({
      name: "open-live-windows",
      text: "SELECT site_id, started_at, ends_at FROM tracking_test WHERE stopped_at IS NULL",
    });
    state.open = new Map(rows.map((row) => [row.site_id, { startedAt: row.started_at, endsAt: row.ends_at }]));
  } catch (error) {
    log.warn(describeError(error), "open live windows could not be read");
  } finally {
    state.readAt = now.getTime();
    state.reading = null;
  }
}

/** An event that cannot be shown is logged: it is stored all the same. */
function buffer(siteId: number, at: Date, createRecord: () => EventDebugRecord): void {
  const window = state.open.get(siteId);
  if (!window || at >= window.endsAt) return;
  try {
    bufferIn(window, siteId, at, createRecord());
  } catch (error) {
    log.error({ site_id: siteId, ...describeError(error) }, "an event could not be shown in its live window");
  }
}

function bufferIn(window: Window, siteId: number, at: Date, record: EventDebugRecord): void {
  const { startedAt } = window;
  const name = `${siteId}|${startedAt.getTime()}`;
  const buffered: Buffered = state.buffered.get(name) ?? { siteId, startedAt, events: [], counts: new Map() };
  state.buffered.set(name, buffered);
  const countKey = `${record.outcome}|${record.class?.traffic ?? ""}`;
  const count = buffered.counts.get(countKey) ?? { record, events: 0 };
  buffered.counts.set(countKey, { record, events: count.events + record.events });
  if (buffered.events.length < MAX_PER_FLUSH) buffered.events.push({ at, record });
  state.timer ??= setTimeout(flushLiveWindows, FLUSH_MS).unref();
}

/** Writes the buffered events, after flushes already in progress. Events that cannot be written are dropped. */
export function flushLiveWindows(): Promise<void> {
  const { reading, writing } = state;
  state.writing = Promise.all([reading, writing])
    .then(write)
    .catch((error) => log.warn(describeError(error), "events of a live window were not written"));
  return state.writing;
}

async function write(): Promise<void> {
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  // Sorted in the same order by all processes, so that they cannot deadlock.
  const windows = [...state.buffered.values()].sort((a, b) => a.siteId - b.siteId);
  state.buffered.clear();
  if (windows.length === 0) return;
  const events = windows.flatMap((window) => window.events.map((event) => ({ ...window, ...event })));
  await ingestPool().query({
    name: "insert-live-events",
    text: `INSERT INTO facts.tracking_event (site_id, started_at, at, record)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::text[]::jsonb[])`,
    values: [
      events.map(({ siteId }) => siteId),
      events.map(({ startedAt }) => startedAt),
      events.map(({ at }) => at),
      events.map(({ record }) => JSON.stringify(record)),
    ],
  });
  await writeCounts(windows);
  await ingestPool().query({ name: "trim-live-events", text: TRIM, values: [windows.map(({ siteId }) => siteId)] });
}

async function writeCounts(windows: readonly Buffered[]): Promise<void> {
  const counts = windows.flatMap((window) =>
    [...window.counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => ({ ...window, ...count })),
  );
  await ingestPool().query({
    name: "count-live-events",
    text: `INSERT INTO facts.tracking_count AS kept (site_id, started_at, outcome, traffic, events)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[])
           ON CONFLICT (site_id, started_at, outcome, traffic) DO UPDATE SET events = kept.events + excluded.events`,
    values: [
      counts.map(({ siteId }) => siteId),
      counts.map(({ startedAt }) => startedAt),
      counts.map(({ record }) => record.outcome),
      counts.map(({ record }) => record.class?.traffic ?? ""),
      counts.map(({ events }) => events),
    ],
  });
}

const TRIM = `
  DELETE FROM facts.tracking_event AS event USING unnest($1::int[]) AS seen(site_id)
  WHERE event.site_id = seen.site_id AND event.id <= (
    SELECT id FROM facts.tracking_event WHERE site_id = seen.site_id ORDER BY id DESC OFFSET ${MAX_WINDOW_EVENTS} LIMIT 1)`;

interface TrackingCount {
  outcome: EventDebugRecord["outcome"];
  traffic: TrafficClass | null;
  events: number;
}

/** Returns a window's event counts by outcome and class, the most frequent first. */
export async function readTrackingCounts(on: Queries, siteId: number, startedAt: Date): Promise<TrackingCount[]> {
  const { rows } = await on.query<TrackingCount>(sql`
    SELECT outcome, nullif(traffic, '') AS traffic, tracking_count.events::float8 AS events FROM facts.tracking_count
    WHERE site_id = ${siteId} AND started_at = ${startedAt} ORDER BY tracking_count.events DESC, outcome, traffic`);
  return rows;
}

interface WindowEvent {
  id: string;
  at: Date;
  record: EventDebugRecord;
}

/** Returns the newest events of a window, newest first. @param seen ids of events to leave out. */
export async function readTrackingEvents(
  on: Queries,
  siteId: number,
  startedAt: Date,
  seen: readonly string[],
): Promise<WindowEvent[]> {
  const { rows } = await on.query<WindowEvent>(sql`
    SELECT id::text, at, record FROM facts.tracking_event
    WHERE site_id = ${siteId} AND started_at = ${startedAt} AND id <> ALL(${seen}::bigint[])
    ORDER BY tracking_event.id DESC LIMIT ${MAX_WINDOW_EVENTS}`);
  return rows;
}

/** Deletes all events and counts of these sites' windows. */
export async function deleteTrackingEvents(on: Queries, siteIds: number[]): Promise<void> {
  await on.query(sql`DELETE FROM facts.tracking_event WHERE site_id = ANY(${siteIds}::int[])`);
  await on.query(sql`DELETE FROM facts.tracking_count WHERE site_id = ANY(${siteIds}::int[])`);
}
