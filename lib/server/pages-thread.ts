import { createServer } from "node:http";
import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { countElsewhere } from "@/lib/analytics/packed/counters";
import { CONNECTIONS } from "@/lib/connections";
import { closeDatabase, openDatabase, REPORTS_OF_ONE_CALLER, reportDeadlineMs } from "@/lib/db";
import { bootEnv } from "@/lib/env";
import { finishIngest } from "@/lib/ingest/finish";
import { log, quietConsole } from "@/lib/log";
import { readMetrics } from "@/lib/metrics/registry";
import { bootSecrets } from "@/lib/secrets";
import { countingThreads } from "@/lib/server/counting-threads";
import { FORWARDED_HEADER_BYTES, onlyForwarded } from "@/lib/server/forward";
import { type ThreadMetrics, watchThread } from "@/lib/server/metrics";
import { pagesHere } from "@/lib/server/pages";
import type { PagesTask, PagesWord } from "@/lib/server/pages-apart";
import { giveWay, letGiveWay } from "@/lib/server/priority";

const LEAST_REPORTS_OF_ONE_CALLER = 2;

/** The thread of pages: what `pagesApart` starts. It answers only what `forward` sends it. */
const { databaseUrl, reportsUrl, socketPath, secret } = workerData as PagesTask;
const env = bootEnv();
log.level = env.LOG_LEVEL;
quietConsole();
if (env.METRICS_TOKEN !== undefined) watchThread();
bootSecrets(env);
// Events come before pages, reports and jobs.
giveWay("pages");
const ownPostgres = !env.DATABASE_URL;
// Postgres shares our processors: more statements at once than there are of these take longer each, and hold up events.
const reportsOfOneCaller = Math.min(
  REPORTS_OF_ONE_CALLER,
  Math.max(LEAST_REPORTS_OF_ONE_CALLER, os.availableParallelism()),
);
openDatabase(databaseUrl, {
  reportsUrl,
  connections: CONNECTIONS.pages,
  ...(ownPostgres && { reportingProcess: letGiveWay, reportsOfOneCaller }),
});
const counting = countingThreads({ databaseUrl: reportsUrl, ownPostgres, statementMs: reportDeadlineMs() });
countElsewhere(counting.count);

// The public server has its own deadlines for slow clients.
const server = createServer({ requestTimeout: 0, headersTimeout: 0, maxHeaderSize: FORWARDED_HEADER_BYTES });
// Beyond a number Node drops headers without a word, and the last are those that we have added.
server.maxHeadersCount = 0;
const pages = await pagesHere(server, env);
server.on("request", onlyForwarded(secret, pages.answer));
server.listen(socketPath, () => parentPort?.postMessage("listening" satisfies PagesWord));

parentPort?.on("message", async (word: PagesWord) => {
  if (word === "leave") return pages.leave();
  if (word === "metrics") return parentPort?.postMessage({ metrics: await readMetrics() } satisfies ThreadMetrics);
  server.close();
  await pages.close();
  await counting.close();
  await finishIngest();
  await closeDatabase();
  process.exit(0);
});
