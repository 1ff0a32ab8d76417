import { parentPort, workerData } from "node:worker_threads";
import { closeDatabase, openDatabase } from "@/lib/db";
import type { Hit } from "@/lib/ingest/hit";
import { settle } from "@/lib/ingest/settle";
import { log } from "@/lib/log";
import type { Batch, WriterData } from "@/lib/server/writing";

/** The thread that writes what ingest understood: a batch comes in, what became of its hits goes back. */
const { databaseUrl, logLevel } = workerData as WriterData;
log.level = logLevel;
openDatabase(databaseUrl);

parentPort?.on("message", async (batch: Batch<Hit> | "end") => {
  if (batch === "end") {
    await closeDatabase();
    parentPort?.close();
  } else {
    parentPort?.postMessage({ id: batch.id, items: await settle(batch.items) });
  }
});
