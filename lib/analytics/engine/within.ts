import { setTimeout } from "node:timers/promises";

/** What `within` returns when work takes too long. */
export const LATE = Symbol("late");

/** @returns LATE when the work takes longer than this. @throws the signal's reason once it is aborted. */
export async function within(work: Promise<void>, ms: number, signal?: AbortSignal): Promise<unknown> {
  const waiting = new AbortController();
  const ended = AbortSignal.any([waiting.signal, ...(signal ? [signal] : [])]);
  // It goes on when nobody waits any more.
  work.catch(() => {});
  try {
    return await Promise.race([work, setTimeout(ms, LATE, { signal: ended })]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    waiting.abort();
  }
}
