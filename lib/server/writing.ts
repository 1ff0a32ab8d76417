import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Hit, Settled } from "@/lib/ingest/hit";
import { writer } from "@/lib/ingest/writer";

/** What the two threads hand each other: hits on the way there, and what became of them, in their order, on the way back. */
export interface Batch<Item> {
  id: number;
  items: Item[];
}

export interface WriterData {
  databaseUrl: string;
  logLevel: string;
}

/**
 * Gives the writer a thread of its own: speaking to Postgres is a third of the work for an event, and the thread that
 * speaks HTTP is the one that is busy.
 *
 * @returns how to end it, after the last hit was written.
 */
export function startWriting(data: WriterData): () => Promise<void> {
  const thread = new Worker(new URL("./writing-thread.mjs", import.meta.url), { workerData: data });
  const asked = new Map<number, (settled: Settled[]) => void>();
  let id = 0;
  thread.on("message", (batch: Batch<Settled>) => {
    asked.get(batch.id)?.(batch.items);
    asked.delete(batch.id);
  });
  const { settle } = writer;
  writer.settle = (items: Hit[]) =>
    new Promise((resolve) => {
      asked.set(++id, resolve);
      thread.postMessage({ id, items } satisfies Batch<Hit>);
    });
  return async () => {
    writer.settle = settle;
    thread.postMessage("end");
    await once(thread, "exit");
  };
}
