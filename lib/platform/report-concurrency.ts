import { Fault } from "@/lib/platform/errors";
import type { Share, Shares } from "@/lib/platform/report-shares";

/** A statement that waits for its turn. */
interface Waiting {
  shares: Shares;
  begin(): void;
}

/**
 * Limits how many report statements run at the same time, in total and per share. The next statement to start is the
 * one whose share has the fewest running; ties go to the one that waited longest.
 */
export class ReportConcurrency {
  readonly #running = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  /**
   * @param most statements that may run at the same time.
   * @param mostOfOne statements of one share that may run at the same time; a share may set a lower limit.
   */
  constructor(
    readonly most: number,
    readonly mostOfOne: number,
  ) {}

  /**
   * Resolves when the statement may run. Every `acquire` is followed by a `release`.
   *
   * @throws the signal's reason when it is aborted while waiting, TooManyWaiting when the queue of a share is full.
   */
  async acquire(shares: Shares, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#mayBegin(shares)) return this.#begin(shares);
    const full = shares.find((share) => this.#waitingOf(share) >= share.waiting);
    if (full) throw new TooManyWaiting(full.name);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiting = { shares, begin };
      this.#waiting.push(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  release(shares: Shares): void {
    this.#total--;
    for (const { key } of shares) {
      const left = this.#of(key) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    }
    const next = this.#next();
    if (!next) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#begin(next.shares);
    next.begin();
  }

  #of(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  #waitingOf({ key }: Share): number {
    return this.#waiting.filter(({ shares }) => shares.some((share) => share.key === key)).length;
  }

  #mayBegin(shares: Shares): boolean {
    if (this.#total >= this.most) return false;
    return shares.every(({ key, running }) => this.#of(key) < Math.min(running, this.mostOfOne));
  }

  #begin(shares: Shares): void {
    for (const { key } of shares) this.#running.set(key, this.#of(key) + 1);
    this.#total++;
  }

  #next(): Waiting | undefined {
    const allowed = this.#waiting.filter(({ shares }) => this.#mayBegin(shares));
    return allowed.reduce<Waiting | undefined>(
      (best, one) => (best && this.#compare(best.shares, one.shares) <= 0 ? best : one),
      undefined,
    );
  }

  /** Below 0 when the first has fewer running, by the widest share in which they differ. */
  #compare(one: Shares, other: Shares): number {
    const differences = one.map((share, at) => this.#of(share.key) - this.#of(other[at]?.key ?? ""));
    return differences.find((difference) => difference !== 0) ?? 0;
  }
}

/** The queue of a share is full: another statement would not run before its deadline. */
export class TooManyWaiting extends Fault {
  /** @param shareName the name shown in error messages. */
  constructor(readonly shareName: string) {
    super(`too many report statements of ${shareName} are waiting`);
  }
}
