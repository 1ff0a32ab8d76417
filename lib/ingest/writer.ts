import { Refusal } from "@/lib/contract/errors";
import type { Doubt, Hit, Outcome, Settled } from "@/lib/ingest/hit";
import { settle } from "@/lib/ingest/settle";
import { processWide } from "@/lib/process-wide";

/** Hits in one transaction at most, and hits that may wait for one. */
const MOST_IN_BATCH = 1_000;
const MOST_WAITING = 20_000;
/** While Postgres commits one batch, the next is prepared. */
const AT_ONCE = 2;

interface Waiting {
  hit: Hit;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Group commit: hits that arrive while a transaction is being written form the next one. A hit's promise resolves
 * after the commit that holds it, so that what was answered is stored.
 */
class Writer {
  /** Who writes a batch: this thread, unless another has been started for it. */
  settle: (hits: Hit[]) => Promise<Settled[]> = settle;
  private waiting: Waiting[] = [];
  private readonly writing = new Set<Promise<void>>();

  /** @throws Refusal `unavailable` when too many hits wait already or the database cannot be reached. */
  write(hit: Hit): Promise<Outcome> {
    if (this.waiting.length >= MOST_WAITING) {
      return Promise.reject(
        new Refusal("unavailable", "Too many events are waiting to be written; send it again soon.", undefined, 2),
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ hit, resolve, reject });
      if (this.writing.size < AT_ONCE) this.begin();
    });
  }

  /** Resolves when everything that was handed over has been written or refused. */
  async drain(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing);
  }

  private begin(): void {
    const work: Promise<void> = this.run().finally(() => this.writing.delete(work));
    this.writing.add(work);
  }

  private async run(): Promise<void> {
    // Requests of the same turn of the event loop belong to the first batch already.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MOST_IN_BATCH);
      const settled = await this.settle(batch.map(({ hit }) => hit));
      for (const [index, one] of batch.entries()) tell(one, settled[index] as Settled);
    }
  }
}

export const writer = processWide("writer", () => new Writer());

function tell({ resolve, reject }: Waiting, settled: Settled): void {
  if ("outcome" in settled) resolve(settled.outcome);
  else reject("notWritten" in settled ? new NotWritten(settled.notWritten) : settled.refused);
}

/** The hit is not stored, as far as is known: with a doubt it may be. */
export class NotWritten extends Refusal {
  constructor(readonly doubt: Doubt | null) {
    const message =
      "The event could not be stored now; send it again with the same event_id. Without one it may be stored twice.";
    super("unavailable", message, undefined, 2);
  }
}
