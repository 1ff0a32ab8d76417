import { LRUCache } from "lru-cache";
import type { Counts } from "@/lib/analytics/packed/tally";

/** A question that is being counted, and how many wait for it. */
interface Running {
  counts: Promise<Counts[]>;
  waiting: number;
  ending: AbortController;
}

/**
 * What packed days came to, for whoever asks the same again: a dashboard that is opened once more, or by several people at
 * once. A question that is being counted already is counted once for all who ask it meanwhile.
 */
export class KeptCounts {
  readonly #known: LRUCache<string, Counts[]>;
  readonly #running = new Map<string, Running>();

  /** @param mostBytes what is kept takes no more memory than this; what was asked for last stays. */
  constructor(mostBytes: number) {
    this.#known = new LRUCache({ maxSize: Math.max(1, mostBytes), sizeCalculation: (all: Counts[]) => bytesOf(all) });
  }

  /**
   * What a question comes to. Nobody may change it: others are given the same lists.
   *
   * @param key names the question, and the days as they are now.
   * @param begin counts it. Its signal is aborted when nobody waits for it any more.
   * @throws what `begin` throws, which is not kept, and the signal's reason once it is aborted.
   */
  async of(key: string, begin: (ending: AbortSignal) => Promise<Counts[]>, signal?: AbortSignal): Promise<Counts[]> {
    signal?.throwIfAborted();
    const known = this.#known.get(key);
    if (known) return known;
    const running = this.#running.get(key) ?? this.#begin(key, begin);
    running.waiting++;
    try {
      return await unlessAborted(running.counts, signal);
    } finally {
      if (--running.waiting === 0) {
        // Nobody may join what ends.
        this.#running.delete(key);
        running.ending.abort();
      }
    }
  }

  forget(): void {
    this.#known.clear();
  }

  #begin(key: string, begin: (ending: AbortSignal) => Promise<Counts[]>): Running {
    const ending = new AbortController();
    const counts = begin(ending.signal).then((found) => {
      this.#known.set(key, found);
      return found;
    });
    // It may fail while nobody waits for it any more.
    counts.catch(() => {});
    const running = { counts, waiting: 0, ending };
    this.#running.set(key, running);
    return running;
  }
}

/** Lists may be views of longer ones, which they keep in memory. */
const bytesOf = (all: readonly Counts[]): number =>
  all.reduce(
    (bytes, { values, sums }) =>
      [...values, ...Object.values(sums)].reduce((sum, { buffer }) => sum + buffer.byteLength, bytes),
    1,
  );

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
  });
}
