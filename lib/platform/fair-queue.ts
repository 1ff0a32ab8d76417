interface Waiting {
  account: string;
  start: () => void;
}

/** Runs a limited number of pieces of work at once. Accounts take turns, so that one with much does not delay the others. */
export class FairQueue {
  #waiting: Waiting[] = [];
  #running: string[] = [];
  #turns = 0;
  /** The last turn of each account that waits or runs. */
  readonly #lastTurns = new Map<string, number>();

  constructor(private readonly concurrency = 1) {}

  /** Whether work of an account waits for its turn. */
  isWaiting(account: string): boolean {
    return this.#waiting.some((waiting) => waiting.account === account);
  }

  async run<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      this.#waiting.push({ account, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(account), 1);
      if (!this.isWaiting(account) && !this.#running.includes(account)) this.#lastTurns.delete(account);
      this.#startNext();
    }
  }

  /** Starts the first work of the account whose last turn is the longest ago. */
  #startNext(): void {
    const turnOf = ({ account }: Waiting) => this.#lastTurns.get(account) ?? 0;
    const next = this.#waiting.reduce<Waiting | null>((a, b) => (a && turnOf(a) <= turnOf(b) ? a : b), null);
    if (!next || this.#running.length >= this.concurrency) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#running.push(next.account);
    this.#lastTurns.set(next.account, ++this.#turns);
    next.start();
  }
}
