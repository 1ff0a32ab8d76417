import { setTimeout } from "node:timers/promises";
import { DAY_MS } from "@/lib/platform/durations";
import { describeError, log } from "@/lib/platform/log";

/** What `within` returns when work takes too long. */
export const LATE = Symbol("late");

/** How long a query waits. */
export interface Limit {
  /** In milliseconds of `performance.now()`. */
  until: number;
  signal?: AbortSignal | undefined;
}

/** @throws the signal's reason once it is aborted. */
export const unlessAborted = <Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> =>
  within(work, { until: performance.now() + MAX_WAIT_MS, signal }) as Promise<Result>;

/** Longer than the deadline of every caller. */
const MAX_WAIT_MS = DAY_MS;

/** @returns what the work does, LATE when it takes longer than its limit. @throws the signal's reason once it is aborted. */
export async function within<Result>(work: Promise<Result>, { until, signal }: Limit): Promise<Result | typeof LATE> {
  const waiting = new AbortController();
  const ended = AbortSignal.any([waiting.signal, ...(signal ? [signal] : [])]);
  // The work continues after the caller stops waiting.
  let isWaiting = true;
  work.catch(
    (error) => isWaiting || log.warn(describeError(error), "work failed that took longer than its caller waited"),
  );
  try {
    const ms = Math.max(0, until - performance.now());
    return await Promise.race([work, setTimeout<typeof LATE>(ms, LATE, { signal: ended })]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    isWaiting = false;
    waiting.abort();
  }
}
