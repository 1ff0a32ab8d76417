import { isDatabaseAway, isOutOfTurn } from "@/lib/db";
import { commit, LostCommit, type Turn } from "@/lib/ingest/commit";
import type { Hit, Settled } from "@/lib/ingest/hit";
import { describeError, log } from "@/lib/log";

let last: Promise<void> = Promise.resolve();

/**
 * Writes a batch of hits. Batches prepare side by side, but take their visitors' locks in the order in which they came.
 *
 * @returns what became of each hit, in their order.
 */
export async function settle(hits: readonly Hit[]): Promise<Settled[]> {
  const mine = last;
  let pass = () => {};
  last = new Promise((resolve) => {
    pass = resolve;
  });
  return commitOrRetry(hits, { mine, pass });
}

const NOW: Turn = { mine: Promise.resolve(), pass: () => {} };

/**
 * One bad row must not fail its neighbours: a batch that Postgres refuses is written again, hit by hit. One that only
 * had a lock in its way is written again as it is, once.
 */
async function commitOrRetry(hits: readonly Hit[], turn: Turn, again = false): Promise<Settled[]> {
  try {
    return (await commit(hits, turn)).map((outcome) => ({ outcome }));
  } catch (error) {
    const blocked = isOutOfTurn(error);
    if (blocked && !again) {
      log.warn({ hits: hits.length, ...describeError(error) }, "a lock was in the way of a batch; writing it again");
      return commitOrRetry(hits, NOW, true);
    }
    if (blocked || isDatabaseAway(error)) {
      log.error(describeError(error instanceof LostCommit ? error.cause : error), "events were not written");
      return hits.map(({ at }, place) => ({
        notWritten: error instanceof LostCommit ? { xid: error.xid, place, at } : null,
      }));
    }
    log.warn({ hits: hits.length, ...describeError(error) }, "a batch was refused");
    if (hits.length === 1) return [{ refused: error }];
    const settled: Settled[] = [];
    for (const hit of hits) settled.push(...(await commitOrRetry([hit], NOW)));
    return settled;
  }
}
