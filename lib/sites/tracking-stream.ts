import { setTimeout as wait } from "node:timers/promises";
import { ownerOfSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";
import { siteFor } from "@/lib/sites/access";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { readTrackingTest } from "@/lib/sites/tracking-tests";

/** A tracking test as it goes on, for a page that stays open. */

const LOOK_EVERY_MS = 500;
/** A way that is silent for longer is cut by proxies. */
const BEAT_EVERY_MS = 15_000;
/** How long somebody who may not look any more still does. */
export const ASK_EVERY_MS = 30_000;
export const MOST_OF_ONE_PERSON = 5;
/** More than a window keeps: what fell out of this is gone there too. */
const MOST_REMEMBERED = 1_000;

export interface Watcher {
  owner: Owner;
  siteId: number;
  /** Whether anybody still looks, and the service goes on. */
  goesOn(): boolean;
  /** The clock, and how to wait. */
  now?: () => Date;
  pause?: (ms: number) => Promise<unknown>;
}

const open = processWide("tracking-streams", () => new Map<number, number>());

/**
 * The test each time that something has changed, with the hits that are new; null for a beat meanwhile. It ends with the
 * test, with who looks, and when they may not look any more.
 *
 * @throws Refusal `rate_limited` when one person has too many open, `role_denied` and `site_not_granted`.
 */
export async function watchTrackingTest(watcher: Watcher): Promise<AsyncGenerator<TrackingTest | null>> {
  const { owner, siteId } = watcher;
  await mustManage(owner, siteId);
  if ((open.get(owner.personId) ?? 0) >= MOST_OF_ONE_PERSON) {
    throw new Refusal("rate_limited", "You look at this in too many windows; close one of them.", undefined, 10);
  }
  return look(watcher);
}

const mustManage = ({ personId }: Owner, siteId: number) =>
  siteFor(db(), { kind: "owner", personId }, siteId, "manager");

async function mayLook(owner: Owner, siteId: number, now: Date): Promise<boolean> {
  if (!(await ownerOfSession(owner.sid, now))) return false;
  return mustManage(owner, siteId).then(
    () => true,
    (error) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

async function* look(watcher: Watcher): AsyncGenerator<TrackingTest | null> {
  const { owner, siteId, goesOn, now = () => new Date(), pause = wait } = watcher;
  open.set(owner.personId, (open.get(owner.personId) ?? 0) + 1);
  const seen = new Set<string>();
  let told = "";
  let [toldAt, askedAt] = [now().getTime(), now().getTime()];
  try {
    while (goesOn()) {
      const at = now();
      if (at.getTime() - askedAt >= ASK_EVERY_MS) {
        if (!(await mayLook(owner, siteId, at))) return;
        askedAt = at.getTime();
      }
      const test = await readTrackingTest(db(), siteId, at, [...seen]);
      remember(seen, test);
      const state = JSON.stringify({ ...test, seconds_left: 0, hits: [] });
      const isNew = state !== told || test.hits.length > 0;
      if (isNew || at.getTime() - toldAt >= BEAT_EVERY_MS) {
        yield isNew ? test : null;
        [told, toldAt] = [state, at.getTime()];
      }
      if (test.status !== "running") return;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    const left = (open.get(owner.personId) ?? 1) - 1;
    if (left > 0) open.set(owner.personId, left);
    else open.delete(owner.personId);
  }
}

function remember(seen: Set<string>, { hits }: TrackingTest): void {
  for (const { id } of hits.toReversed()) seen.add(id);
  for (const id of seen) {
    if (seen.size <= MOST_REMEMBERED) return;
    seen.delete(id);
  }
}
