import {
  acquireLease,
  completeLease,
  findReplay,
  type IdempotentCall,
  lockKey,
  releaseLease,
  saveAnswer,
} from "@/lib/gateway/idempotency/idempotency";
import { type Db, db } from "@/lib/platform/db";
import { inProgress } from "@/lib/platform/errors";

/**
 * The effect of a call. `reach` does network input and output first; `work` then uses its result in one transaction.
 */
export interface Effect {
  reach?: (() => Promise<unknown>) | undefined;
  work(tx: Db, reached: unknown): Promise<unknown>;
}

/**
 * Runs a write at most once per idempotency key; a signed-in human has no key. Lock, effect and stored answer share one
 * transaction. A call with network access holds a lease instead, so no transaction stays open meanwhile.
 *
 * @throws Refusal `operation_in_progress` while another call holds the key.
 */
export function runIdempotent(
  idempotentCall: IdempotentCall | null,
  now: Date,
  effect: Effect,
): Promise<{ data: unknown; replayed: boolean }> {
  return effect.reach ? runUnderLease(idempotentCall, now, effect) : runInTransaction(idempotentCall, now, effect);
}

function runInTransaction(idempotentCall: IdempotentCall | null, now: Date, effect: Effect) {
  return db().$transaction(async (tx) => {
    if (idempotentCall) {
      await lockKey(tx, idempotentCall);
      const finished = await findReplay(tx, idempotentCall, now);
      if (finished) return { data: finished.data, replayed: true };
    }
    const data = await effect.work(tx, undefined);
    if (idempotentCall) await saveAnswer(tx, idempotentCall, data, now);
    return { data, replayed: false };
  });
}

async function runUnderLease(idempotentCall: IdempotentCall | null, now: Date, effect: Effect) {
  const attempt = idempotentCall && (await acquireLease(idempotentCall, now));
  try {
    const reached = await effect.reach?.();
    const data = await db().$transaction(async (tx) => {
      const answer = await effect.work(tx, reached);
      // Another attempt has taken over: its effect counts, and this one's is rolled back.
      if (idempotentCall && attempt && !(await completeLease(tx, idempotentCall, attempt, answer, now)))
        throw inProgress();
      return answer;
    });
    return { data, replayed: false };
  } catch (error) {
    if (idempotentCall && attempt) await releaseLease(idempotentCall, attempt);
    throw error;
  }
}
