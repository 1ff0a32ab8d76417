import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { commit, type LockTurn, LostCommit } from "@/lib/ingest/store/commit";
import type { EventRow, Outcome } from "@/lib/ingest/store/event-row";
import { NotWritten } from "@/lib/ingest/store/not-written";
import { type WritableEvent, writableOf } from "@/lib/ingest/store/writable-event";
import { Refusal } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { gauge, histogram, THREAD } from "@/lib/platform/metrics";
import { isDatabaseAway, isOutOfTurn } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/** Hits in one transaction at most, and hits that may wait for one. */
const MOST_IN_BATCH = 1_000;
const MOST_WAITING = 20_000;
/**
 * So many that wait are worth a batch of their own while Postgres commits another. Fewer wait for it: each batch costs the
 * same few statements however small it is, and two of half the size write less in all.
 */
const WORTH_A_BATCH = 100;
const AT_ONCE = 2;

interface Waiting {
  hit: WritableEvent;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Group commit: hits that arrive while a transaction is being written form the next one. A hit's promise resolves
 * after the commit that holds it, so that what was answered is stored.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private readonly writing = new Set<Promise<void>>();
  private writers = 0;
  private turn: Promise<void> = Promise.resolve();

  /** @throws Refusal `unavailable` when too many hits wait already or the database cannot be reached. */
  write(hit: WritableEvent): Promise<Outcome> {
    if (this.waiting.length >= MOST_WAITING) return Promise.reject(tooManyWait());
    return new Promise((resolve, reject) => {
      this.waiting.push({ hit, resolve, reject });
      if (this.writers < AT_ONCE && this.mayWrite(this.writers)) this.begin();
    });
  }

  /** Resolves when everything that was handed over has been written or refused. */
  async drain(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing);
  }

  /** How many hits wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** @param others who write already. */
  private mayWrite(others: number): boolean {
    return this.waiting.length >= (others === 0 ? 1 : WORTH_A_BATCH);
  }

  private begin(): void {
    this.writers++;
    const work: Promise<void> = this.run().finally(() => this.writing.delete(work));
    this.writing.add(work);
  }

  /** Batches prepare side by side, but take their visitors' locks in the order in which their hits came. */
  private takeTurn(): LockTurn {
    const { turn: mine } = this;
    let pass = () => {};
    this.turn = new Promise((resolve) => {
      pass = resolve;
    });
    return { mine, pass };
  }

  private async run(): Promise<void> {
    // Requests of the same turn of the event loop belong to the first batch already.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.mayWrite(this.writers - 1)) {
      // Requests may have waited for different lookups; visits take their events in the order in which they arrived.
      const batch = this.waiting.splice(0, MOST_IN_BATCH).sort((a, b) => a.hit.timestamp - b.hit.timestamp);
      await commitOrRetry(batch, this.takeTurn());
    }
    this.writers--;
  }
}

const groupCommit = processWide("writer", () => new GroupCommit());

/** Writes the hits of this thread. */
export const writer = {
  write: (hit: EventRow): Promise<Outcome> => groupCommit.write(writableOf(hit)),
  drain: (): Promise<void> => groupCommit.drain(),
  get length(): number {
    return groupCommit.length;
  },
};

const tooManyWait = (): Refusal =>
  new Refusal("unavailable", "Too many events are waiting to be written; send it again soon.", undefined, 2);

const COMMIT_SECONDS = histogram({
  name: "footfall_commit_seconds",
  help: "Time to write one batch of events.",
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
const COMMIT_EVENTS = histogram({
  name: "footfall_commit_events",
  help: "Events in one batch.",
  buckets: [1, 2, 5, 10, 25, 50, 100, 250, 1000],
});
gauge("footfall_events_waiting", "Events that wait to be written.", "thread", () => ({ [THREAD]: writer.length }));

const NOW: LockTurn = { mine: Promise.resolve(), pass: () => {} };

/**
 * One bad row must not fail its neighbours: a batch that Postgres refuses is written again, hit by hit. One that only
 * had a lock in its way is written again as it is, once.
 */
async function commitOrRetry(batch: Waiting[], turn: LockTurn = NOW, again = false): Promise<void> {
  const began = performance.now();
  try {
    const outcomes = await commit(
      batch.map(({ hit }) => hit),
      turn,
    );
    COMMIT_SECONDS.observe((performance.now() - began) / 1000);
    COMMIT_EVENTS.observe(batch.length);
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
  } catch (error) {
    const blocked = isOutOfTurn(error);
    if (blocked && !again) {
      log.warn({ hits: batch.length, ...describeError(error) }, "a lock was in the way of a batch; writing it again");
      return commitOrRetry(batch, NOW, true);
    }
    const passing = blocked || isDatabaseAway(error);
    if (!passing && batch.length > 1) {
      log.warn({ hits: batch.length, ...describeError(error) }, "a batch was refused; writing it hit by hit");
      for (const one of batch) await commitOrRetry([one]);
      return;
    }
    if (passing) log.error(describeError(error instanceof LostCommit ? error.cause : error), "events were not written");
    for (const [place, { hit, reject }] of batch.entries()) {
      const doubt =
        error instanceof LostCommit ? { xid: error.xid, place, at: new Date(millisecondOf(hit.timestamp)) } : null;
      reject(passing ? new NotWritten(doubt) : error);
    }
  }
}
