import { LRUCache } from "lru-cache";
import { boundedMap } from "@/lib/platform/bounded-map";
import { Refusal } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";
import type { Share, Shares } from "@/lib/platform/report-shares";

const MINUTE_MS = 60_000;
/**
 * Used time has drained within minutes. Beyond so many keys the least recent ones start anew; networks that strangers
 * bring cannot have others forgotten, because all networks together have the time of `anonymous` only.
 */
const BOUNDS = { max: 100_000, ttl: 10 * MINUTE_MS };

type UsedTime = LRUCache<string, { ms: number; at: number }>;

/**
 * How much report time each share has used: a leaky bucket. What is used up drains evenly, so that `seconds` of it are
 * free again after a minute.
 */
export class ReportTime {
  readonly #used: UsedTime;

  /**
   * @param clock milliseconds that never go back.
   * @param used where used time is kept.
   */
  constructor(
    readonly clock: () => number = () => performance.now(),
    used: UsedTime = new LRUCache(BOUNDS),
  ) {
    this.#used = used;
  }

  /** Adds the time of one statement. */
  charge(shares: Shares, ms: number): void {
    for (const share of shares) {
      if (share.seconds !== null) this.#used.set(share.key, { ms: this.#usedMs(share) + ms, at: this.clock() });
    }
  }

  /** @throws Refusal `rate_limited` when one of the shares has used all of its report time. */
  refuseSpent(shares: Shares): void {
    for (const share of shares) {
      if (share.seconds === null) continue;
      const tooMuchMs = this.#usedMs(share) - share.seconds * 1000;
      if (tooMuchMs >= 0) throw spent(share.name, share.seconds, retryAfter(tooMuchMs, share.seconds));
    }
  }

  #usedMs({ key, seconds }: Share): number {
    const used = this.#used.get(key);
    if (!used || seconds === null) return 0;
    return Math.max(0, used.ms - (this.clock() - used.at) * drainPerMs(seconds));
  }
}

const drainPerMs = (seconds: number) => (seconds * 1000) / MINUTE_MS;

/** In whole seconds. */
const retryAfter = (tooMuchMs: number, seconds: number) =>
  Math.max(1, Math.ceil(tooMuchMs / drainPerMs(seconds) / 1000));

const spent = (name: string, seconds: number, retryAfterSeconds: number) =>
  new Refusal(
    "rate_limited",
    `The report time of ${name} is used up (${seconds} seconds of database time a minute); continue after the time in Retry-After, with shorter ranges or fewer dimensions.`,
    { budget: { report_seconds: seconds, per_seconds: MINUTE_MS / 1000, of: name } },
    retryAfterSeconds,
  );

/** The report time that this process has given. */
export const reportTime = (): ReportTime =>
  processWide("report-time", () => new ReportTime(undefined, boundedMap("report-time", BOUNDS)));
