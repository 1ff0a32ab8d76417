import { counter } from "@/lib/platform/metrics";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/**
 * What became of hits, in the site owner's words: kept, repeated, left out by the site's own rules, or not accepted.
 * `scrubbed` counts the pieces of personal data that were replaced in hits, not hits.
 */
export type IngestOutcome = "stored" | "duplicate" | "filtered" | "refused" | "scrubbed";

const FLUSH_MS = 1_000;
const EVENTS = counter({
  name: "footfall_events_total",
  help: "Events by what became of them; scrubbed counts pieces.",
  labelNames: ["outcome"],
});

interface Pending {
  siteId: number;
  day: string;
  outcome: IngestOutcome;
  reason: string;
  hits: number;
}

const shelf = processWide("intake", () => ({
  pending: new Map<string, Pending>(),
  timer: null as NodeJS.Timeout | null,
  /** Settled when the counts that were taken up last are written or put back. */
  writing: Promise.resolve(),
}));

/** The UTC day. Asked for every hit, and written out once a day. */
function dayOf(now: Date): string {
  const number = Math.floor(now.getTime() / DAY_MS);
  if (number !== lately.number) Object.assign(lately, { number, day: now.toISOString().slice(0, 10) });
  return lately.day;
}
const DAY_MS = 86_400_000;
const lately = { number: Number.NaN, day: "" };

/** Counts a hit of a site, or several. The counts are written once a second; a killed process loses at most that second of them. */
export function countOutcome(siteId: number, now: Date, outcome: IngestOutcome, reason = "", hits = 1): void {
  EVENTS.inc({ outcome }, hits);
  const { pending } = shelf;
  const day = dayOf(now);
  const key = `${siteId}|${day}|${outcome}|${reason}`;
  const known = pending.get(key);
  if (known) known.hits += hits;
  else pending.set(key, { siteId, day, outcome, reason, hits });
  shelf.timer ??= setTimeout(() => flushIngestStats().catch(() => {}), FLUSH_MS).unref();
}

/** Writes what has been counted so far, after those who do so already. What cannot be written now is kept for the next time. */
export function flushIngestStats(): Promise<void> {
  const writing = shelf.writing.catch(() => {}).then(writeCounts);
  shelf.writing = writing;
  return writing;
}

async function writeCounts(): Promise<void> {
  const state = shelf;
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  const counts = [...state.pending.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
  if (counts.length === 0) return;
  state.pending.clear();
  try {
    await ingestPool().query({
      name: "flush-intake",
      text: `INSERT INTO facts.intake AS kept (site_id, day, outcome, reason, hits)
             SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::text[], $5::bigint[])
             ON CONFLICT (site_id, day, outcome, reason) DO UPDATE SET hits = kept.hits + excluded.hits`,
      values: [
        counts.map((count) => count.siteId),
        counts.map((count) => count.day),
        counts.map((count) => count.outcome),
        counts.map((count) => count.reason),
        counts.map((count) => count.hits),
      ],
    });
  } catch (error) {
    for (const count of counts) putBack(count);
    throw error;
  }
}

function putBack(count: Pending): void {
  const { pending } = shelf;
  const key = `${count.siteId}|${count.day}|${count.outcome}|${count.reason}`;
  const known = pending.get(key);
  if (known) known.hits += count.hits;
  else pending.set(key, count);
}

/** How many events of a site were stored since the first of the (UTC) month, counts not yet written included. */
export async function storedThisMonth(siteId: number, now: Date): Promise<number> {
  const first = `${now.toISOString().slice(0, 7)}-01`;
  const written = await ingestPool().query({
    name: "stored-this-month",
    text: `SELECT coalesce(sum(hits), 0)::float8 AS hits FROM facts.intake
           WHERE site_id = $1 AND day >= $2::date AND outcome = 'stored'`,
    values: [siteId, first],
  });
  let hits: number = written.rows[0].hits;
  for (const count of shelf.pending.values()) {
    if (count.siteId === siteId && count.outcome === "stored" && count.day >= first) hits += count.hits;
  }
  return hits;
}
