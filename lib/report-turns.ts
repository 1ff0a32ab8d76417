/** A statement that waits for its turn. */
interface Waiting {
  siteId: number;
  begin(): void;
}

/**
 * Who may run a report statement next. No site has more than its share of the connections, so that the dashboards of one
 * never hold them all; of those that wait, the site with the fewest running goes first.
 */
export class ReportTurns {
  readonly #running = new Map<number, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  /**
   * @param most how many statements run at the same time.
   * @param mostOfOne how many of one site.
   * @param mostWaiting how many of one site may wait.
   */
  constructor(
    readonly most: number,
    readonly mostOfOne: number,
    readonly mostWaiting: number,
  ) {}

  /**
   * Resolves when it is this statement's turn. Every turn is given back.
   *
   * @throws the signal's reason when it is aborted while waiting, TooManyWaiting when the queue of the site is full.
   */
  async take(siteId: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#total < this.most && this.#of(siteId) < this.mostOfOne) return this.#begin(siteId);
    if (this.#waiting.filter((one) => one.siteId === siteId).length >= this.mostWaiting) throw new TooManyWaiting();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiting = { siteId, begin };
      this.#waiting.push(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  give(siteId: number): void {
    const left = this.#of(siteId) - 1;
    if (left > 0) this.#running.set(siteId, left);
    else this.#running.delete(siteId);
    this.#total--;
    const next = this.#next();
    if (!next) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#begin(next.siteId);
    next.begin();
  }

  #of(siteId: number): number {
    return this.#running.get(siteId) ?? 0;
  }

  #begin(siteId: number): void {
    this.#running.set(siteId, this.#of(siteId) + 1);
    this.#total++;
  }

  /** The first in line of the site with the fewest running. */
  #next(): Waiting | undefined {
    const allowed = this.#waiting.filter(({ siteId }) => this.#of(siteId) < this.mostOfOne);
    return allowed.reduce<Waiting | undefined>(
      (best, one) => (best && this.#of(best.siteId) <= this.#of(one.siteId) ? best : one),
      undefined,
    );
  }
}

/** So many statements of one site wait already that another would not get its turn in time. */
export class TooManyWaiting extends Error {
  constructor() {
    super("too many report statements of one site are waiting");
  }
}
