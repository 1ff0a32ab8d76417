import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { answerIngest } from "@/lib/ingest/api/answer-ingest";
import { checkKey } from "@/lib/ingest/api/measurement";
import { bootOwnLists } from "@/lib/ingest/enrich/own-lists";
import { finishIngest } from "@/lib/ingest/store/writer";
import { CONNECTIONS } from "@/lib/platform/connections";
import { bootEnv } from "@/lib/platform/env";
import { Fault } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { readMetrics } from "@/lib/platform/metrics";
import { closePools, openPools } from "@/lib/platform/pool";
import { bootSecrets } from "@/lib/platform/secrets";
import { exitOnUncaughtErrors } from "@/lib/platform/uncaught-errors";
import { serveIngest } from "@/lib/server/ingest-channel";
import { measureThread } from "@/lib/server/thread-metrics";

/** The input of the worker. */
interface IngestTask {
  databaseUrl: string;
  /** The name of the thread in metrics. */
  thread: "ingest";
}

/** The ingest worker answers requests with events by the same function as the Next routes: ARCHITECTURE.md has their path. */
const { databaseUrl } = workerData as IngestTask;
const settings = bootEnv();
log.level = settings.LOG_LEVEL;
exitOnUncaughtErrors(async () => {
  await finishIngest();
  // The answers to these events leave with the next turns of the event loop.
  for (let turn = 0; turn < 2; turn++) await setImmediate();
});
if (settings.METRICS_TOKEN !== undefined) measureThread();
bootSecrets(settings);
bootOwnLists(settings);
openPools(databaseUrl, CONNECTIONS.ingest);

if (!parentPort) throw new Fault("The ingest worker must run as a worker thread of the server");
serveIngest(parentPort, {
  answer(request, header) {
    const incoming = { header, bytes: async (limit: number) => bodyWithin(limit, request.body) };
    const caller = { address: request.address, now: new Date(request.arrivedAt) };
    if (request.question === "key") return checkKey(incoming, caller);
    return answerIngest(request.question, incoming, caller);
  },
  metrics: readMetrics,
  async stop() {
    await finishIngest();
    await closePools();
  },
});

const bodyWithin = (limit: number, body: Uint8Array | null) => (body && body.length <= limit ? body : null);
