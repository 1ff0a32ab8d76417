import type pg from "pg";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import type { StoredEvent } from "@/lib/ingest/store/facts";

/**
 * Copies of facts look for new ones among those of the last quarter of an hour. What is written later than that, as an
 * imported log is, says where to look.
 */
const LATE_MS = 5 * 60_000;

/** The statement that marks what is late of these events, with the visits that they may belong to; none without such. */
export function markLate(kept: readonly StoredEvent[], now = Date.now()): pg.QueryConfig[] {
  const spans = new Map<number, { start: number; end: number }>();
  for (const { hit, visit } of kept) {
    const at = millisecondOf(hit.timestamp);
    if (at > now - LATE_MS) continue;
    const span = spans.get(hit.siteId) ?? { start: at, end: at };
    spans.set(hit.siteId, {
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
