import { parentPort, workerData } from "node:worker_threads";
import { CONNECTIONS } from "@/lib/connections";
import { readSent } from "@/lib/ingest/writable-hit";
import { GroupCommit, NotWritten } from "@/lib/ingest/writer";
import { describeError, log } from "@/lib/log";
import { readMetrics } from "@/lib/metrics/registry";
import { closePools, openIngestPool } from "@/lib/pool";
import type { Settled, WritingOrder, WritingTask, WritingWord } from "@/lib/server/writing-apart";

/** The thread that writes hits: what `WritingApart` starts. */
const { databaseUrl, logLevel } = workerData as WritingTask;
log.level = logLevel;
openIngestPool(databaseUrl, CONNECTIONS.writing.ingest);
const writer = new GroupCommit();

let settled: Settled[] = [];
const say = (word: WritingWord) => parentPort?.postMessage(word);

/** All of a batch come to their ends in the same turn of the event loop, and are told at once. */
function settle(number: number, end: Settled[1]): void {
  if (settled.push([number, end]) > 1) return;
  setImmediate(() => {
    const all = settled;
    settled = [];
    say({ settled: all });
  });
}

function endOf(error: unknown): Settled[1] {
  if (error instanceof NotWritten) return { unwritten: error.doubt };
  log.error(describeError(error), "a hit was not written");
  const { message, code } = error as Error & { code?: string };
  return { failure: { message, code } };
}

parentPort?.on("message", async (order: WritingOrder) => {
  if (order === "metrics") return say({ metrics: await readMetrics() });
  if (order === "stop") {
    await writer.drain();
    await closePools();
    process.exit(0);
  }
  for (const [index, hit] of order.hits.entries()) {
    const number = order.first + index;
    writer.write(readSent(hit)).then(
      (outcome) => settle(number, outcome),
      (error) => settle(number, endOf(error)),
    );
  }
});
