import type { DecidedEvent, Outcome } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { commit, type LockTurn, LostCommit } from "@/lib/ingest/store/commit";
import { NotWritten } from "@/lib/ingest/store/event-id";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { flushLiveWindows } from "@/lib/ingest/store/live-window";
import { isDistributed } from "@/lib/ingest/store/partitions";
import { commitTimed } from "@/lib/ingest/store/timed-commit";
import { Refusal } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { gauge, histogram, THREAD } from "@/lib/platform/metrics";
import { isDatabaseUnavailable, isLockConflict } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/** Events per transaction at most, and events that may wait for one. */
const MAX_BATCH = 1_000;
const MAX_WAITING = 20_000;
/**
 * While Postgres commits a batch, a second one starts only with this many events. Each batch costs the same few
 * statements however small, so fewer events wait.
 */
const MIN_CONCURRENT_BATCH = 100;
const MAX_WRITERS = 2;

interface Waiting {
  event: DecidedEvent;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

type Commit = (events: readonly DecidedEvent[], turn: LockTurn) => Promise<Outcome[]>;

/**
 * Group commit: events that arrive while a transaction is written form the next one. An event's promise resolves after
 * its commit, so that acknowledged events are stored.
 */
export class GroupCommit {
  private readonly options: { mostWriters: number; bySite: boolean; commit: Commit };

  /**
   * @param options.commit writes a batch. @param options.bySite whether each site has a transaction of its own.
   */
  constructor(options: Partial<GroupCommit["options"]> = {}) {
    this.options = { mostWriters: MAX_WRITERS, bySite: false, commit, ...options };
  }

  private waiting: Waiting[] = [];
  private readonly writing = new Set<Promise<void>>();
  private writers = 0;
  private turn: Promise<void> = Promise.resolve();

  /**
   * Writes an event. @throws Refusal `unavailable` when too many events are waiting or the database cannot be reached.
   */
  write(event: DecidedEvent): Promise<Outcome> {
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(tooManyWaiting());
    return new Promise((resolve, reject) => {
      this.waiting.push({ event, resolve, reject });
      if (this.writers < this.options.mostWriters && this.mayWrite(this.writers)) this.begin();
    });
  }

  /** Resolves when all pending events are written or refused. */
  async drain(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing);
  }

  /** Number of waiting events. */
  get length(): number {
    return this.waiting.length;
  }

  /** @param others number of writers already running. */
  private mayWrite(others: number): boolean {
    return this.waiting.length >= (others === 0 ? 1 : MIN_CONCURRENT_BATCH);
  }

  private begin(): void {
    this.writers++;
    const work: Promise<void> = this.run().finally(() => this.writing.delete(work));
    this.writing.add(work);
  }

  /** Batches prepare concurrently, but lock their visitors in the order of their events' arrival. */
  private takeTurn(): LockTurn {
    const { turn: ready } = this;
    let pass = () => {};
    this.turn = new Promise((resolve) => {
      pass = resolve;
    });
    return { ready, pass };
  }

  private async run(): Promise<void> {
    // Waits so that requests of the same event loop iteration join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.mayWrite(this.writers - 1)) {
      // Requests may have waited for different lookups; visits need their events in order of arrival.
      const batch = this.waiting.splice(0, MAX_BATCH).sort((a, b) => a.event.timestamp - b.event.timestamp);
      const turn = this.takeTurn();
      const { bySite: isOfOneSite, commit } = this.options;
      const parts = isOfOneSite || (await isDistributed().catch(() => false)) ? bySite(batch) : [batch];
      const turns = partsOf(turn, parts.length);
      await Promise.all(parts.map((part, index) => commitOrRetry(part, commit, turns[index])));
    }
    this.writers--;
  }
}

/** A transaction of several sites has parts on several nodes of Citus, each with a prepared commit; that of one has not. */
function bySite(batch: readonly Waiting[]): Waiting[][] {
  const sites = new Map<number, Waiting[]>();
  for (const one of batch) {
    const { siteId } = one.event;
    const known = sites.get(siteId);
    if (known) known.push(one);
    else sites.set(siteId, [one]);
  }
  return [...sites.values()];
}

/** Returns the turn of each part of a batch. The next batch has its turn once each part has passed its own. */
function partsOf(turn: LockTurn, parts: number): LockTurn[] {
  let waiting = parts;
  return Array.from({ length: parts }, () => {
    let passed = false;
    const pass = () => {
      if (!passed && --waiting === 0) turn.pass();
      passed = true;
    };
    return { ready: turn.ready, pass };
  });
}

/** Writes the events of this thread. */
export const writer = processWide("writer", () => new GroupCommit());
/** Writes those whose sender gave their time: other events do not wait for the visits around them. */
export const timedWriter = processWide(
  "timed-writer",
  () => new GroupCommit({ mostWriters: 1, bySite: true, commit: commitTimed }),
);

/** Writes pending events and counts before the process stops. */
export async function finishIngest(): Promise<void> {
  await Promise.all([writer.drain(), timedWriter.drain()]);
  await flushLiveWindows();
  await flushIngestStats();
}

const tooManyWaiting = (): Refusal =>
  new Refusal(
    "unavailable",
    "Too many events are waiting to be written; send the event again after the time in Retry-After.",
    undefined,
    2,
  );

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
gauge("footfall_events_waiting", "Events waiting to be written.", "thread", () => ({
  [THREAD]: writer.length + timedWriter.length,
}));

const NO_WAIT: LockTurn = { ready: Promise.resolve(), pass: () => {} };

/**
 * One invalid row must not fail its batch: a batch that Postgres refuses is written again, event by event. A batch that
 * was only blocked by a lock is retried once as it is.
 */
async function commitOrRetry(
  batch: Waiting[],
  commit: Commit,
  turn: LockTurn = NO_WAIT,
  isRetry = false,
): Promise<void> {
  const began = performance.now();
  try {
    const outcomes = await commit(
      batch.map(({ event }) => event),
      turn,
    );
    COMMIT_SECONDS.observe((performance.now() - began) / 1000);
    COMMIT_EVENTS.observe(batch.length);
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
  } catch (error) {
    const blocked = isLockConflict(error);
    if (blocked && !isRetry) {
      log.warn({ events: batch.length, ...describeError(error) }, "a lock was in the way of a batch; writing it again");
      return commitOrRetry(batch, commit, NO_WAIT, true);
    }
    const temporary = blocked || isDatabaseUnavailable(error);
    if (!temporary && batch.length > 1) {
      log.warn({ events: batch.length, ...describeError(error) }, "a batch was refused; writing it event by event");
      for (const one of batch) await commitOrRetry([one], commit);
      return;
    }
    if (temporary)
      log.error(describeError(error instanceof LostCommit ? error.cause : error), "events were not written");
    for (const [place, { event, reject }] of batch.entries()) {
      const doubt =
        error instanceof LostCommit ? { xid: error.xid, place, at: new Date(millisecondOf(event.timestamp)) } : null;
      reject(temporary ? new NotWritten(doubt) : error);
    }
  }
}
