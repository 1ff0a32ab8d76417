import { setTimeout as wait } from "node:timers/promises";
import { ownerOfSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";
import { siteFor } from "@/lib/sites/access";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { readTrackingTest } from "@/lib/sites/tracking-tests";

/** Live updates of a tracking test for an open page. */

const POLL_MS = 500;
/** Proxies close connections that are idle for longer. */
const HEARTBEAT_MS = 15_000;
/** A viewer who loses permission can watch at most this much longer. */
export const PERMISSION_CHECK_MS = 30_000;
export const MAX_STREAMS_PER_PERSON = 5;
/** More than a window keeps, so ids that are dropped here are no longer returned. */
const MAX_SEEN_IDS = 1_000;

export interface Watcher {
  owner: Owner;
  siteId: number;
  /** Returns false when the client has disconnected or the service is stopping. */
  isActive(): boolean;
  /** Overridden by tests. */
  now?: () => Date;
  pause?: (ms: number) => Promise<unknown>;
}

/** Open streams by person. */
const openStreams = processWide("tracking-streams", () => new Map<number, number>());

/**
 * Yields the test whenever it changes, with only the new events, and null as a heartbeat. Ends when the test ends, when
 * the watcher is no longer active, or when the viewer loses permission.
 *
 * @throws Refusal `rate_limited` if the person has too many streams open, `role_denied`, `site_not_granted`
 */
export async function watchTrackingTest(watcher: Watcher): Promise<AsyncGenerator<TrackingTest | null>> {
  const { owner, siteId } = watcher;
  await requireManager(owner, siteId);
  if ((openStreams.get(owner.personId) ?? 0) >= MAX_STREAMS_PER_PERSON) {
    throw new Refusal("rate_limited", "This page is open in too many windows. Close one of them.", undefined, 10);
  }
  return updates(watcher);
}

const requireManager = ({ personId }: Owner, siteId: number) =>
  siteFor(db(), { kind: "owner", personId }, siteId, "manager");

async function canWatch(owner: Owner, siteId: number, now: Date): Promise<boolean> {
  if (!(await ownerOfSession(owner.sid, now))) return false;
  return requireManager(owner, siteId).then(
    () => true,
    (error) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

async function* updates(watcher: Watcher): AsyncGenerator<TrackingTest | null> {
  const { owner, siteId, isActive, now = () => new Date(), pause = wait } = watcher;
  openStreams.set(owner.personId, (openStreams.get(owner.personId) ?? 0) + 1);
  const seen = new Set<string>();
  let lastState = "";
  let [sentAt, checkedAt] = [now().getTime(), now().getTime()];
  try {
    while (isActive()) {
      const at = now();
      if (at.getTime() - checkedAt >= PERMISSION_CHECK_MS) {
        if (!(await canWatch(owner, siteId, at))) return;
        checkedAt = at.getTime();
      }
      const test = await readTrackingTest(db(), siteId, at, [...seen]);
      remember(seen, test);
      const state = JSON.stringify({ ...test, seconds_left: 0, hits: [] });
      const changed = state !== lastState || test.hits.length > 0;
      if (changed || at.getTime() - sentAt >= HEARTBEAT_MS) {
        yield changed ? test : null;
        [lastState, sentAt] = [state, at.getTime()];
      }
      if (test.status !== "running") return;
      await pause(POLL_MS);
    }
  } finally {
    const left = (openStreams.get(owner.personId) ?? 1) - 1;
    if (left > 0) openStreams.set(owner.personId, left);
    else openStreams.delete(owner.personId);
  }
}

function remember(seen: Set<string>, { hits }: TrackingTest): void {
  for (const { id } of hits.toReversed()) seen.add(id);
  for (const id of seen) {
    if (seen.size <= MAX_SEEN_IDS) return;
    seen.delete(id);
  }
}
