import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { PackedDays } from "@/lib/analytics/packed/chunks";
import { count } from "@/lib/analytics/packed/counting";
import type { CountingAnswer, CountingOrder, CountingThread } from "@/lib/analytics/packed/counting-threads";
import { TooManyGroups } from "@/lib/analytics/packed/tally";
import { CONNECT_WITHIN_MS, reportsConfig } from "@/lib/pool";

/** A thread that counts packed days, one chunk of each question in turn: what `countingThreads` starts. */
const { databaseUrl, keptBytes, statementMs } = workerData as CountingThread;

// One question after the other reads its days; those that it has read are kept.
const pool = new pg.Pool({
  ...reportsConfig(databaseUrl, statementMs),
  connectionTimeoutMillis: CONNECT_WITHIN_MS,
  max: 1,
});
// What breaks rejects what waits on it; without a listener of its own the event would end the thread.
pool.on("error", () => {});
pool.on("connect", (client) => {
  client.on("error", () => {});
});
const days = new PackedDays(async (work) => {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}, keptBytes);

const running = new Map<number, AbortController>();
const say = (answer: CountingAnswer) => parentPort?.postMessage(answer);

parentPort?.on("message", async (order: CountingOrder) => {
  const { id } = order;
  if (!("task" in order)) return running.get(id)?.abort();
  const ending = new AbortController();
  running.set(id, ending);
  try {
    say({ id, counts: await count(days, order.task, ending.signal) });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    say({ id, failure: { message, code, tooManyGroups: error instanceof TooManyGroups } });
  } finally {
    running.delete(id);
  }
});
