import { LRUCache } from "lru-cache";
import { boundedMap } from "@/lib/platform/bounded-map";
import { MINUTE_MS } from "@/lib/platform/durations";
import { Refusal } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";
import type { Share, Shares } from "@/lib/platform/report-shares";

/**
 * Used time drains within minutes. Above `max` keys the least recently used ones are dropped. Many networks cannot
 * evict other keys, because all networks together are limited by `anonymous`.
 */
const BOUNDS = { max: 100_000, ttl: 10 * MINUTE_MS };

type UsedTime = LRUCache<string, { ms: number; at: number }>;

/**
 * The report time that each share has used, as a leaky bucket: used time drains at a rate of `seconds` per minute.
 */
export class ReportTime {
  readonly #used: UsedTime;

  /**
   * @param clock a monotonic clock in milliseconds.
   * @param used the store of used time.
   */
  constructor(
    readonly clock: () => number = () => performance.now(),
    used: UsedTime = new LRUCache(BOUNDS),
  ) {
    this.#used = used;
  }

  /** Adds the duration of one statement. */
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

/** Returns the whole seconds until the excess has drained. */
const retryAfter = (tooMuchMs: number, seconds: number) =>
  Math.max(1, Math.ceil(tooMuchMs / drainPerMs(seconds) / 1000));

const spent = (name: string, seconds: number, retryAfterSeconds: number) =>
  new Refusal(
    "rate_limited",
    `The report time of ${name} is used up (${seconds} seconds of database time a minute); continue after the time in Retry-After, with shorter ranges or fewer dimensions.`,
    { budget: { report_seconds: seconds, per_seconds: MINUTE_MS / 1000, of: name } },
    retryAfterSeconds,
  );

/** Returns the report time of this process. */
export const reportTime = (): ReportTime =>
  processWide("report-time", () => new ReportTime(undefined, boundedMap("report-time", BOUNDS)));
