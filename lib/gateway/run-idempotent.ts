import { type Db, db } from "@/lib/db";
import {
  acquireLease,
  completeLease,
  findReplay,
  type IdempotentCall,
  inProgress,
  lockKey,
  releaseLease,
  saveAnswer,
} from "@/lib/gateway/idempotency";

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
  }, TRANSACTION);
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
    }, TRANSACTION);
    return { data, replayed: false };
  } catch (error) {
    if (idempotentCall && attempt) await releaseLease(idempotentCall, attempt);
    throw error;
  }
}
