import os from "node:os";
import path from "node:path";
import { setAnalytics } from "@/lib/analytics/engine/analytics";
import { AnalyticsProcess } from "@/lib/analytics/engine/client";
import { prepareDecoy } from "@/lib/auth/password";
import { needsSetup, setupToken } from "@/lib/auth/setup";
import { bootOwnLists } from "@/lib/ingest/enrich/own-lists";
import { finishIngest } from "@/lib/ingest/store/writer";
import { JOBS } from "@/lib/jobs/jobs";
import { startJobs } from "@/lib/jobs/scheduler";
import { CONNECTIONS, connectionBudget, SINGLE_THREAD, singleThreadBudget } from "@/lib/platform/connections";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { bootEnv, type Env, env } from "@/lib/platform/env";
import { explainError } from "@/lib/platform/explain-error";
import { isLoopbackName } from "@/lib/platform/http/address";
import { listenTo } from "@/lib/platform/listen";
import { describeError, log, quietConsole } from "@/lib/platform/log";
import { REPORTS_OF_ONE_CALLER } from "@/lib/platform/reports";
import { bootSecrets } from "@/lib/platform/secrets";
import { exitOnUncaughtErrors } from "@/lib/platform/uncaught-errors";
import { configuredUrls, prepareDatabase } from "@/lib/server/database";
import { setPart } from "@/lib/server/health";
import { type Booted, installation } from "@/lib/server/installation";
import { addThread, startMetrics } from "@/lib/server/metrics";
import { observeRequests } from "@/lib/server/observe-requests";
import { setReady } from "@/lib/server/ready";

/** Boots this process once: configuration, secrets, database, jobs. Further calls return the same result. */
export function boot(): Promise<Booted> {
  installation.booted ??= bootOnce();
  return installation.booted;
}

/** Boots under `next start` or `next dev`. Exits the process when boot fails. */
export async function bootAlone(): Promise<void> {
  const booted = await boot().catch((error) => {
    process.stderr.write(`${explainError(error)}\n`);
    process.exit(1);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) settleBefore(signal, booted);
  if (env().NODE_ENV !== "development") exitOnUncaughtErrors(booted.close);
  if (booted.setupToken) log.info({ setup_token: booted.setupToken }, "no account exists yet");
}

/** Writes pending data before the signal handlers of Next run: they exit as soon as all requests are answered. */
function settleBefore(signal: "SIGINT" | "SIGTERM", booted: Booted): void {
  const handlers = process.listeners(signal);
  process.removeAllListeners(signal);
  process.once(signal, async () => {
    setReady(false);
    await booted.settle().catch((error) => log.error(describeError(error), "pending counts were not written"));
    for (const handle of handlers) handle(signal);
  });
}

async function bootOnce(): Promise<Booted> {
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  // First, because under `next start` requests can arrive during boot.
  observeRequests(env);
  if (env.NODE_ENV !== "development") quietConsole();
  warnAboutPlainHttp(env);
  warnAboutPrivateRanges(env);
  bootSecrets(env);
  bootOwnLists(env);
  const urls = installation.embedded ?? configuredUrls(env);
  const { embedded, connections = SINGLE_THREAD } = installation;
  const budget = connections === SINGLE_THREAD ? singleThreadBudget() : connectionBudget(embedded !== undefined);
  await prepareDatabase(urls, { budget, hasPooler: embedded === undefined });
  openDatabase(urls.databaseUrl, {
    reportsUrl: urls.reportsUrl,
    connections,
    ...(embedded && { reportsOfOneCaller: reportsPerCaller() }),
  });
  const analytics = analyticsProcess(env, urls.reportsUrl);
  setAnalytics(analytics);
  startMetrics(env.METRICS_TOKEN);
  addThread(() => analytics.metrics());
  setPart("analytics", (withinMs) => analytics.answers(withinMs));
  const jobs = startJobs(JOBS);
  const stopListening = listenTo(urls.databaseUrl, "wake_job", { listening: jobs.wake, notified: jobs.wake });
  prepareDecoy().catch((error) => log.error(describeError(error), "the password decoy was not prepared"));
  const settle = async () => {
    await stopListening();
    await jobs.stop();
    await finishIngest();
  };
  setReady(true);
  const token = (await needsSetup()) ? setupToken() : null;
  // Not awaited: the analytics process opens its files while the server already answers.
  analytics.start();
  return {
    urls,
    setupToken: token,
    settle,
    async close() {
      await settle();
      await analytics.close();
      await closeDatabase();
    },
  };
}

/**
 * Report statements of one caller with the embedded Postgres, which shares the CPUs with ingest: at most one per CPU.
 */
const reportsPerCaller = (): number => Math.min(REPORTS_OF_ONE_CALLER, Math.max(2, os.availableParallelism()));

/** Warns when tokens and passwords travel unencrypted (RFC 6749 section 3.2), except on this machine. */
function warnAboutPlainHttp({ BASE_URL }: Env): void {
  const { protocol, hostname } = new URL(BASE_URL);
  if (protocol === "https:" || isLoopbackName(hostname)) return;
  log.warn({ base_url: BASE_URL }, "BASE_URL is plain http: passwords and tokens can be intercepted; use https");
}

/** Warns about private ranges that this server may connect to for host names of untrusted origin. */
function warnAboutPrivateRanges({ OUTBOUND_PRIVATE_CIDRS: ranges }: Env): void {
  if (ranges.length === 0) return;
  log.warn(
    { ranges },
    "OUTBOUND_PRIVATE_CIDRS lets untrusted host names reach these ranges; unset it unless you need them",
  );
}

const MIN_MEGABYTES = 256;
const MAX_MEGABYTES = 4_096;
const SHARE_OF_MEMORY = 1 / 4;

/** Creates the analytics process of this server without starting it. */
function analyticsProcess({ DATA_DIR, LOG_LEVEL }: Env, reportsUrl: string): AnalyticsProcess {
  return new AnalyticsProcess({
    // Relative to the working directory, because the bundles of Next and of the server are in different folders.
    program: path.resolve("build", "analytics.mjs"),
    open: {
      root: path.join(DATA_DIR, "analytics"),
      databaseUrl: reportsUrl,
      connections: CONNECTIONS.analytics,
      memoryMegabytes: memoryMegabytes(),
      threads: os.availableParallelism(),
      logLevel: LOG_LEVEL,
    },
    siteIds: async () => (await db().site.findMany({ select: { id: true } })).map(({ id }) => id),
  });
}

/** Returns the memory limit of DuckDB in MiB: a quarter of the memory of the machine or container, within bounds. */
function memoryMegabytes(): number {
  const limit = process.constrainedMemory();
  const available = limit > 0 ? Math.min(os.totalmem(), limit) : os.totalmem();
  const share = Math.floor((available * SHARE_OF_MEMORY) / 2 ** 20);
  return Math.min(MAX_MEGABYTES, Math.max(MIN_MEGABYTES, share));
}
