import { type Db, db } from "@/lib/db";
import { claim, dropLease, inProgress, lease, type Once, recall, remember, settleLease } from "@/lib/gateway/once";

/** A write waits this long for its turn, and may then take this long. */
const TRANSACTION = { maxWait: 5_000, timeout: 20_000 };

/** What a call does. What it brings back from the outside world is used, later, in one transaction. */
export interface Effect {
  reach?: (() => Promise<unknown>) | undefined;
  work(tx: Db, reached: unknown): Promise<unknown>;
}

/**
 * Runs a write under its key, or under none for a signed-in human. Claim, effect and remembered answer stand or fall
 * together. A call that reaches out holds its key by a lease meanwhile, so that no transaction waits for strangers.
 *
 * @throws Refusal `operation_in_progress` while another call has the key.
 */
export function runOnce(once: Once | null, now: Date, effect: Effect): Promise<{ data: unknown; replayed: boolean }> {
  return effect.reach ? runUnderLease(once, now, effect) : runInTransaction(once, now, effect);
}

function runInTransaction(once: Once | null, now: Date, effect: Effect) {
  return db().$transaction(async (tx) => {
    if (once) {
      await claim(tx, once);
      const finished = await recall(tx, once, now);
      if (finished) return { data: finished.data, replayed: true };
    }
    const data = await effect.work(tx, undefined);
    if (once) await remember(tx, once, data, now);
    return { data, replayed: false };
  }, TRANSACTION);
}

async function runUnderLease(once: Once | null, now: Date, effect: Effect) {
  const attempt = once && (await lease(once, now));
  try {
    const reached = await effect.reach?.();
    const data = await db().$transaction(async (tx) => {
      const answer = await effect.work(tx, reached);
      // Another attempt has taken over: its effect counts, and this one's is rolled back.
      if (once && attempt && !(await settleLease(tx, once, attempt, answer, now))) throw inProgress();
      return answer;
    }, TRANSACTION);
    return { data, replayed: false };
  } catch (error) {
    if (once && attempt) await dropLease(once, attempt);
    throw error;
  }
}
