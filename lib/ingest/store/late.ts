import type pg from "pg";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import type { StoredEvent } from "@/lib/ingest/store/facts";

/**
 * Copies of facts look for new ones in the last 15 minutes. Facts written later than that, such as an imported log, are
 * recorded as changed spans.
 */
const LATE_MS = 5 * 60_000;

/** Returns the statement that records the spans of late events and their visits; none without late events. */
export function markLate(stored: readonly StoredEvent[], now = Date.now()): pg.QueryConfig[] {
  const spans = new Map<number, { start: number; end: number }>();
  for (const { event, visit } of stored) {
    const at = millisecondOf(event.timestamp);
    if (at > now - LATE_MS) continue;
    const span = spans.get(event.siteId) ?? { start: at, end: at };
    spans.set(event.siteId, {
      start: Math.min(span.start, at, visit.started),
      end: Math.max(span.end, at, visit.started),
    });
  }
  if (spans.size === 0) return [];
  const late = [...spans].map(([siteId, { start, end }]) => ({
    siteId,
    start: new Date(start),
    end: new Date(end + 1),
  }));
  return [{ name: "mark-late", ...changedFacts(late) }];
}
