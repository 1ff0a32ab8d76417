import { Worker } from "node:worker_threads";
import type { Doubt, Outcome } from "@/lib/ingest/hit";
import { type SentHit, sentForm, type WritableHit } from "@/lib/ingest/writable-hit";
import { type HitWriter, MOST_WAITING, NotWritten, tooManyWait } from "@/lib/ingest/writer";
import { describeError, log } from "@/lib/log";
import type { Family } from "@/lib/metrics/registry";
import { metricsOfThread } from "@/lib/server/metrics";

/** What the thread that writes is given. */
export interface WritingTask {
  databaseUrl: string;
  logLevel: string;
  /** How its metrics call it. */
  thread: "writing";
}
/** Hits are numbered in the order in which they are sent; `first` is the number of the first of these. */
export type WritingOrder = { first: number; hits: SentHit[] } | "metrics" | "stop";
/** The end that a hit came to, by its number. */
export type Settled = [
  number: number,
  end: Outcome | { unwritten: Doubt | null } | { failure: { message: string; code: string | undefined } },
];
export type WritingWord = { settled: Settled[] } | { metrics: Family[] };

const AGAIN_AFTER_MS = 1_000;
/**
 * So many hits are sent on while others of the same turn of the event loop are still being understood: beside each other,
 * the two threads take less time than one after the other.
 */
const SENT_AT_ONCE = 32;

interface Waiting {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Writes hits in a thread of its own. What Postgres answers is heard there at once, where a thread that also takes requests
 * would first finish with those; and both processors have work. Should the thread end, it is started again; what it had
 * and did not answer for is told as not written.
 */
export class WritingApart implements HitWriter {
  readonly #start: () => Worker;
  #thread: Worker | null;
  #stopping = false;
  #waiting = new Map<number, Waiting>();
  #unsent: SentHit[] = [];
  #last = 0;
  #drains: (() => void)[] = [];

  /** @param program what the thread runs. */
  constructor(databaseUrl: string, program = new URL("writing.mjs", import.meta.url)) {
    const workerData: WritingTask = { databaseUrl, logLevel: log.level, thread: "writing" };
    this.#start = () => {
      const thread = new Worker(program, { workerData });
      thread.on("error", (error) => log.error(describeError(error), "the thread that writes failed"));
      thread.on("message", (word: WritingWord) => "settled" in word && this.#hear(word.settled));
      thread.once("exit", () => this.#left());
      return thread;
    };
    this.#thread = this.#start();
  }

  get length(): number {
    return this.#waiting.size;
  }

  write(hit: WritableHit): Promise<Outcome> {
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(tooManyWait());
    if (!this.#thread) return Promise.reject(new NotWritten(null));
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#last, { resolve, reject });
      const unsent = this.#unsent.push(sentForm(hit));
      if (unsent === 1) setImmediate(() => this.#send());
      else if (unsent === SENT_AT_ONCE) this.#send();
    });
  }

  drain(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drains.push(resolve));
  }

  /** What the thread counts. */
  metrics(): Promise<Family[]> {
    return this.#thread ? metricsOfThread(this.#thread) : Promise.resolve([]);
  }

  /** Ends the thread; nothing may wait any more. */
  async close(): Promise<void> {
    this.#stopping = true;
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.postMessage("stop" satisfies WritingOrder);
    await ended;
  }

  #send(): void {
    const hits = this.#unsent;
    if (hits.length === 0) return;
    this.#unsent = [];
    this.#thread?.postMessage({ first: this.#last - hits.length + 1, hits } satisfies WritingOrder);
  }

  #hear(settled: Settled[]): void {
    for (const [number, end] of settled) {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if ("status" in end) waiting?.resolve(end);
      else waiting?.reject("unwritten" in end ? new NotWritten(end.unwritten) : failureOf(end.failure));
    }
    if (this.#waiting.size === 0) this.#drained();
  }

  #drained(): void {
    for (const resolve of this.#drains.splice(0)) resolve();
  }

  #left(): void {
    this.#thread = null;
    this.#unsent = [];
    for (const { reject } of this.#waiting.values()) reject(new NotWritten(null));
    this.#waiting.clear();
    this.#drained();
    if (this.#stopping) return;
    log.error("the thread that writes has ended; starting it again");
    setTimeout(() => {
      if (!this.#stopping) this.#thread = this.#start();
    }, AGAIN_AFTER_MS);
  }
}

const failureOf = ({ message, code }: { message: string; code: string | undefined }): Error =>
  Object.assign(new Error(message), { code });
