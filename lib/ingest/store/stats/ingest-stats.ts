import { DAY_MS } from "@/lib/platform/durations";
import { describeError, log } from "@/lib/platform/log";
import { counter } from "@/lib/platform/metrics";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/**
 * The outcome of an event, as the site owner sees it. Two are no events: `surplus` counts what a large stored event adds
 * to the quota besides itself, `scrubbed` replaced pieces of personal data.
 */
export const INGEST_OUTCOMES = ["stored", "surplus", "duplicate", "filtered", "refused", "scrubbed"] as const;
export type IngestOutcome = (typeof INGEST_OUTCOMES)[number];

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
function dayOf(now: Date): string {
  const number = Math.floor(now.getTime() / DAY_MS);
  if (number !== today.number) Object.assign(today, { number, day: now.toISOString().slice(0, 10) });
  return today.day;
}
const today = { number: Number.NaN, day: "" };

/** Counts events of a site by outcome. Counts are written once a second; a killed process loses at most one second. */
export function countOutcome(siteId: number, now: Date, outcome: IngestOutcome, reason = "", events = 1): void {
  count({ siteId, day: dayOf(now), outcome, reason, events, example: null });
}

/** Counts a replaced piece of personal data, with a text that was stored after it. */
export const countScrubbed = (siteId: number, now: Date, reason: string, example: string): void =>
  count({ siteId, day: dayOf(now), outcome: "scrubbed", reason, events: 1, example });

function count(pending: Pending): void {
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
