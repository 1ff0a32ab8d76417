import { createHash } from "node:crypto";
import os from "node:os";
import { Worker } from "node:worker_threads";
import type { CountElsewhere } from "@/lib/analytics/packed/counters";
import { type Task, together } from "@/lib/analytics/packed/counting";
import { KeptCounts } from "@/lib/analytics/packed/kept-counts";
import { type Counts, TooManyGroups } from "@/lib/analytics/packed/tally";
import { COUNTING_THREADS } from "@/lib/connections";
import { Refusal } from "@/lib/contract/errors";
import { describeError, log } from "@/lib/log";

/** What a thread that counts is started with. */
export interface CountingThread {
  /** For reports. */
  databaseUrl: string;
  /** How much of the days it has read it keeps in memory. */
  keptBytes: number;
  /** How long one statement may take. */
  statementMs: number;
}

/** What is said to it: count this, or that nobody waits for it any more. */
export type CountingOrder = { id: number; task: Task } | { id: number; cancel: true };
export type CountingAnswer =
  | { id: number; counts: Counts[] }
  | { id: number; failure: { message: string; code: string | undefined; tooManyGroups: boolean } };

/** Of the machine's memory, for all threads together. */
const KEPT_SHARE = 1 / 32;
const MOST_KEPT_BYTES = 256 * 2 ** 20;
/** And for what they came to. */
const KEPT_COUNTS_SHARE = 1 / 256;
const MOST_KEPT_COUNTS_BYTES = 64 * 2 ** 20;
/** After so long without a question the threads end, and give back what they keep. */
const IDLE_MS = 5 * 60_000;

export interface CountingThreads {
  count: CountElsewhere;
  close(): Promise<void>;
}

/**
 * Threads that count packed days, each its share of them. They are started by the first question and end when there was
 * none for a while. The main thread would be slower at it: Next has Node follow each of its promises.
 *
 * @param program what the threads run.
 */
export function countingThreads(
  thread: Omit<CountingThread, "keptBytes">,
  program = new URL("counting.mjs", import.meta.url),
): CountingThreads {
  const size = Math.min(COUNTING_THREADS, os.availableParallelism());
  const keptBytes = Math.floor(Math.min(MOST_KEPT_BYTES, os.totalmem() * KEPT_SHARE) / size);
  const kept = new KeptCounts(Math.min(MOST_KEPT_COUNTS_BYTES, os.totalmem() * KEPT_COUNTS_SHARE));
  let threads: Thread[] = [];
  let idle: NodeJS.Timeout | undefined;
  const end = async () => {
    const ending = threads;
    threads = [];
    kept.forget();
    clearTimeout(idle);
    await Promise.all(ending.map((one) => one.end()));
  };
  const counted = async (task: Task, signal: AbortSignal) => {
    threads = Array.from({ length: size }, (_, nth) => {
      const known = threads[nth];
      return known && !known.ended ? known : new Thread(program, { ...thread, keptBytes });
    });
    // A day is always counted by the same thread, which may still know it.
    const shares = threads.map((one, nth) => {
      const blocks = task.blocks.filter((block) => block % size === nth);
      return blocks.length > 0 || nth === 0 ? one.count({ ...task, blocks }, signal) : [];
    });
    const counts = (await Promise.all(shares)).filter((share) => share.length > 0);
    return task.asked.map((_, index) => together(counts.map((share) => share[index] as Counts)));
  };
  return {
    close: end,
    async count(task, signal) {
      clearTimeout(idle);
      try {
        return await kept.of(keyOf(task), (ending) => counted(task, ending), signal);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
  };
}

/** Names a question: all that its answer depends on. A filter may hold thousands of ids. */
function keyOf(task: Task): string {
  const plain = JSON.stringify(task, (_, value) => (value instanceof Set ? [...value] : value));
  return createHash("sha256").update(plain).digest("base64");
}

interface Waiting {
  resolve(counts: Counts[]): void;
  reject(error: unknown): void;
}

/** One of them, and who waits for it. */
class Thread {
  ended = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #orders = 0;

  constructor(program: URL, workerData: CountingThread) {
    this.#worker = new Worker(program, { workerData });
    this.#worker.unref();
    this.#worker.on("error", (error) => log.error(describeError(error), "a thread that counts failed"));
    this.#worker.once("exit", () => this.#left());
    this.#worker.on("message", (answer: CountingAnswer) => this.#answered(answer));
  }

  count(task: Task, signal?: AbortSignal): Promise<Counts[]> {
    const id = ++this.#orders;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#worker.postMessage({ id, cancel: true } satisfies CountingOrder);
        this.#waiting.delete(id);
        reject(signal?.reason);
      };
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener("abort", leave);
          settle(value);
        };
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.#worker.postMessage({ id, task } satisfies CountingOrder);
      signal?.addEventListener("abort", leave, { once: true });
      if (signal?.aborted) leave();
    });
  }

  async end(): Promise<void> {
    this.ended = true;
    await this.#worker.terminate();
  }

  #answered(answer: CountingAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("counts" in answer) waiting?.resolve(answer.counts);
    else waiting?.reject(errorOf(answer.failure));
  }

  #left(): void {
    this.ended = true;
    for (const { reject } of this.#waiting.values())
      reject(new Refusal("unavailable", "This report could not be counted just now; repeat the call.", undefined, 1));
    this.#waiting.clear();
  }
}

const errorOf = ({ message, code, tooManyGroups }: Extract<CountingAnswer, { failure: unknown }>["failure"]): Error =>
  tooManyGroups ? new TooManyGroups() : Object.assign(new Error(message), { code });
