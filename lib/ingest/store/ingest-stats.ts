import {
  SCRUBBED,
  SCRUBBED_PLACES,
  type ScrubbedKind,
  type ScrubbedPiece,
  type ScrubbedPlace,
} from "@/lib/ingest/scrubbing/kinds";
import { boundedMap } from "@/lib/platform/bounded-map";
import { DAY_MS } from "@/lib/platform/durations";
import { describeError, log } from "@/lib/platform/log";
import { counter } from "@/lib/platform/metrics";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";
import { clip } from "@/lib/platform/text";

/**
 * The outcome of an event, as the site owner sees it. Two are no events: `surplus` counts what a large stored event adds
 * to the quota besides itself, `scrubbed` replaced pieces of personal data.
 */
export const INGEST_OUTCOMES = ["stored", "surplus", "duplicate", "filtered", "refused", "scrubbed"] as const;
type IngestOutcome = (typeof INGEST_OUTCOMES)[number];

const FLUSH_MS = 1_000;
const EVENTS = counter({
  name: "footfall_events_total",
  help: "Events by outcome; surplus counts further KB of large events, scrubbed replaced pieces.",
  labelNames: ["outcome"],
});

interface Pending {
  siteId: number;
  day: string;
  outcome: IngestOutcome;
  reason: string;
  events: number;
  /** A text that was stored after a replacement; null for other outcomes. */
  example: string | null;
}

const state = processWide("intake", () => ({
  pending: new Map<string, Pending>(),
  timer: null as NodeJS.Timeout | null,
  /** Settles when the counts being written are stored or put back. */
  writing: Promise.resolve(),
}));

/** Returns the UTC day as an ISO date, formatted once per day. */
function utcDayOf(now: Date): string {
  const number = Math.floor(now.getTime() / DAY_MS);
  if (number !== today.number) Object.assign(today, { number, day: now.toISOString().slice(0, 10) });
  return today.day;
}
const today = { number: Number.NaN, day: "" };

/** Counts events of a site by outcome. Counts are written once a second; a killed process loses at most one second. */
export function countOutcome(siteId: number, now: Date, outcome: IngestOutcome, reason = "", events = 1): void {
  countPending({ siteId, day: utcDayOf(now), outcome, reason, events, example: null });
}

/** Counts a replaced piece of personal data, with a text that was stored after it. */
const countScrubbed = (siteId: number, now: Date, reason: string, example: string): void =>
  countPending({ siteId, day: utcDayOf(now), outcome: "scrubbed", reason, events: 1, example });

function countPending(pending: Pending): void {
  EVENTS.inc({ outcome: pending.outcome }, pending.events);
  addPending(pending);
  flushLater();
}

function flushLater(): void {
  state.timer ??= setTimeout(
    () => flushIngestStats().catch((error) => log.warn(describeError(error), "event outcomes are not counted yet")),
    FLUSH_MS,
  ).unref();
}

/** Writes the pending counts, after writes already in progress. Counts that cannot be written stay pending. */
export function flushIngestStats(): Promise<void> {
  const writing = Promise.allSettled([state.writing]).then(writeCounts);
  state.writing = writing;
  return writing;
}

async function writeCounts(): Promise<void> {
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  const counts = [...state.pending.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
  if (counts.length === 0) return;
  state.pending.clear();
  try {
    await ingestPool().query({
      name: "flush-intake",
      text: `INSERT INTO facts.intake AS kept (site_id, day, outcome, reason, events, example)
             SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::text[], $5::bigint[], $6::text[])
             ON CONFLICT (site_id, day, outcome, reason)
             DO UPDATE SET events = kept.events + excluded.events, example = coalesce(excluded.example, kept.example)`,
      values: [
        counts.map((count) => count.siteId),
        counts.map((count) => count.day),
        counts.map((count) => count.outcome),
        counts.map((count) => count.reason),
        counts.map((count) => count.events),
        counts.map((count) => count.example),
      ],
    });
  } catch (error) {
    for (const count of counts) addPending(count);
    flushLater();
    throw error;
  }
}

function addPending(count: Pending): void {
  const { pending } = state;
  const key = `${count.siteId}|${count.day}|${count.outcome}|${count.reason}`;
  const existing = pending.get(key);
  if (existing) {
    existing.events += count.events;
    existing.example = count.example ?? existing.example;
  } else pending.set(key, count);
}

/** Returns how much of its quota a site has used this month (UTC), including pending counts. */
export async function usedThisMonth(siteId: number, now: Date): Promise<number> {
  const first = `${now.toISOString().slice(0, 7)}-01`;
  const written = await ingestPool().query({
    name: "used-this-month",
    text: `SELECT coalesce(sum(events), 0)::float8 AS events FROM facts.intake
           WHERE site_id = $1 AND day >= $2::date AND outcome IN ('stored', 'surplus')`,
    values: [siteId, first],
  });
  let used: number = written.rows[0].events;
  for (const { siteId: site, outcome, day, events } of state.pending.values()) {
    if (site === siteId && (outcome === "stored" || outcome === "surplus") && day >= first) used += events;
  }
  return used;
}

/** Reads event outcomes, which are counted by site, UTC day, outcome and reason. */

/** The events of a site with one outcome and reason; `reason` is null where there is none. */
export interface EventOutcome {
  outcome: IngestOutcome;
  reason: string | null;
  events: number;
  /** Those of each UTC day that has any. */
  days: { day: string; events: number }[];
}

/** Returns a site's event outcomes from one UTC day to another, the most frequent first. Days are ISO dates. */
export async function eventOutcomes(siteId: number, from: string, to: string): Promise<EventOutcome[]> {
  const { rows } = await reports().query<EventOutcome>(sql`
    SELECT outcome, nullif(reason, '') AS reason, sum(events)::float8 AS events,
           json_agg(json_build_object('day', day, 'events', events) ORDER BY day) AS days
    FROM (SELECT outcome, day, sum(events)::float8 AS events,
                 CASE outcome WHEN 'scrubbed' THEN split_part(reason, ':', 1) ELSE reason END AS reason
          FROM facts.intake
          WHERE site_id = ${siteId} AND day >= ${from}::date AND day <= ${to}::date
          GROUP BY 1, 2, 4) AS of_day
    GROUP BY outcome, reason ORDER BY events DESC, outcome, reason`);
  return rows;
}

/** Returns the ten most frequent reasons for refused and filtered events of today and yesterday (UTC). */
export async function recentRefusals(siteId: number): Promise<{ reason: string; events: number }[]> {
  const { rows } = await reports().query<{ reason: string; events: number }>(sql`
    SELECT reason, sum(events)::int AS events FROM facts.intake
    WHERE site_id = ${siteId} AND outcome IN ('refused', 'filtered') AND day >= (now() AT TIME ZONE 'UTC')::date - 1
    GROUP BY reason ORDER BY events DESC, reason LIMIT 10`);
  return rows;
}

/** The events received for a site on a UTC day, and how many of them were refused. */
interface ReceivedPerDay {
  day: string;
  all: number;
  refused: number;
}

/** Returns the events received for a site on each UTC day since `since`. */
export async function receivedPerDaySince(siteId: number, since: string): Promise<ReceivedPerDay[]> {
  const { rows } = await reports().query<ReceivedPerDay>(sql`
    SELECT day::text, sum(events)::float8 AS "all", coalesce(sum(events) FILTER (WHERE outcome = 'refused'), 0)::float8 AS refused
    FROM facts.intake WHERE site_id = ${siteId} AND day >= ${since}::date AND outcome NOT IN ('scrubbed', 'surplus') GROUP BY day`);
  return rows;
}

/** The number of stored events of each site, as columns; decimal text. */
interface StoredCounts {
  siteIds: number[];
  events: string[];
}

/** Counts the stored events of each site since a UTC day. */
export async function storedSince(day: string): Promise<StoredCounts> {
  const { rows } = await reports().query<{ site_id: number; events: string }>(sql`
    SELECT site_id, sum(events)::text AS events FROM facts.intake WHERE day >= ${day}::date AND outcome = 'stored' GROUP BY site_id`);
  return { siteIds: rows.map(({ site_id }) => site_id), events: rows.map(({ events }) => events) };
}

/** The stored events of a site on a UTC day. */
interface StoredOnDay {
  siteId: number;
  day: string;
  events: number;
}

/** Counts the stored events of these sites on each UTC day since `since` that has any, in order of the days. */
export async function storedPerDaySince(siteIds: readonly number[], since: string): Promise<StoredOnDay[]> {
  const { rows } = await reports().query<StoredOnDay>(sql`
    SELECT site_id AS "siteId", day::text, sum(events)::float8 AS events FROM facts.intake
    WHERE site_id = ANY(${[...siteIds]}::int[]) AND day >= ${since}::date AND outcome = 'stored'
    GROUP BY site_id, day ORDER BY day`);
  return rows;
}

/** Counts replaced pieces by kind and place, and reads them. They are event outcomes whose reason is `kind:place:name`. */

const MAX_EXAMPLE_BYTES = 200;
const MAX_NAME_BYTES = 100;
/** Names come from requests: further ones of a site are counted without a name. */
const MAX_NAMES = 50;
const names = boundedMap<number, Set<string>>("scrubbed-names", { max: 5_000, ttl: DAY_MS });

/** Counts a replaced piece. @param result the text that is stored with it. */
export function countPiece(siteId: number, now: Date, { kind, place, name }: ScrubbedPiece, result: string): void {
  const reason = `${kind}:${place}:${knownName(siteId, clip(name, MAX_NAME_BYTES))}`;
  countScrubbed(siteId, now, reason, clip(result, MAX_EXAMPLE_BYTES));
}

function knownName(siteId: number, name: string): string {
  if (name === "") return "";
  const known = names.get(siteId) ?? new Set();
  if (!names.has(siteId)) names.set(siteId, known);
  if (known.has(name) || known.size < MAX_NAMES) known.add(name);
  return known.has(name) ? name : "";
}

/** What was replaced of one kind. */
export interface ScrubbedOfKind {
  kind: ScrubbedKind;
  pieces: number;
  /** UTC days that have any, in order. */
  days: { day: string; pieces: number }[];
  /** The most frequent first. */
  places: ScrubbedAt[];
}

interface ScrubbedAt {
  /** Null for what was counted before places were. */
  place: ScrubbedPlace | null;
  /** The property; null in other places, and for properties beyond the 50 whose names are kept. */
  name: string | null;
  pieces: number;
  last_day: string;
  /** The last text that was stored with such a piece. */
  example: string | null;
}

interface PiecesRow {
  day: string;
  reason: string;
  pieces: number;
  example: string | null;
}

/** Returns what was replaced in a site's events from one UTC day to another, by kind, the most frequent first. */
export async function scrubbedPieces(siteId: number, from: string, to: string): Promise<ScrubbedOfKind[]> {
  const { rows } = await reports().query<PiecesRow>(sql`
    SELECT day::text, reason, events::float8 AS pieces, example FROM facts.intake
    WHERE site_id = ${siteId} AND outcome = 'scrubbed' AND day >= ${from}::date AND day <= ${to}::date
    ORDER BY day`);
  const kinds = (Object.keys(SCRUBBED) as ScrubbedKind[]).map((kind) =>
    ofKind(
      kind,
      rows.filter(({ reason }) => reason.split(":", 1)[0] === kind),
    ),
  );
  return kinds.filter(({ pieces }) => pieces > 0).sort((one, other) => other.pieces - one.pieces);
}

function ofKind(kind: ScrubbedKind, rows: readonly PiecesRow[]): ScrubbedOfKind {
  const days = new Map<string, number>();
  const places = new Map<string, ScrubbedAt>();
  for (const { day, reason, pieces, example } of rows) {
    days.set(day, (days.get(day) ?? 0) + pieces);
    const [, place = "", ...name] = reason.split(":");
    const before = places.get(reason);
    places.set(reason, {
      place: place in SCRUBBED_PLACES ? (place as ScrubbedPlace) : null,
      name: name.join(":") || null,
      pieces: (before?.pieces ?? 0) + pieces,
      last_day: day,
      example: example ?? before?.example ?? null,
    });
  }
  return {
    kind,
    pieces: [...days.values()].reduce((sum, pieces) => sum + pieces, 0),
    days: [...days].map(([day, pieces]) => ({ day, pieces })),
    places: [...places.values()].sort((one, other) => other.pieces - one.pieces),
  };
}
