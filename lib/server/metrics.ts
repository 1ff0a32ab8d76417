import { timingSafeEqual } from "node:crypto";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, Registry } from "prom-client";
import { listJobs } from "@/lib/admin/jobs";
import { db } from "@/lib/platform/db";
import type { Answer } from "@/lib/platform/http/http";
import { describeError, log } from "@/lib/platform/log";
import { counter, type Family, gauge, gaugeIn, readMetrics, THREAD } from "@/lib/platform/metrics";
import { processWide } from "@/lib/platform/process-wide";
import { digest } from "@/lib/platform/secrets";

const REQUESTS = counter({
  name: "footfall_http_requests_total",
  help: "Answers by route and status.",
  labelNames: ["route", "status"],
});
const MAX_ROUTES = 1_000;
const knownRoutes = processWide("metric-routes", () => new Set<string>());

/** Counts an answer of a route of ours. */
export const countAnswer = (route: string, status: number): void => REQUESTS.inc({ route, status });

/**
 * Counts an answer by its route, once that route has answered a request with success. Strangers choose all other paths:
 * those count without a route, because each label takes memory for as long as the process runs.
 */
export function countAnswerTo(route: string, status: number): void {
  if (status < 300 && knownRoutes.size < MAX_ROUTES) knownRoutes.add(route);
  countAnswer(knownRoutes.has(route) ? route : "", status);
}

const LOOK_EVERY_MS = 20;

/** From now on tells how this thread fares; until then nothing is measured. */
export function watchThread(): void {
  const lag: IntervalHistogram = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  lag.enable();
  gauge("footfall_event_loop_lag_seconds", "How late the thread is, since the last look.", "thread|quantile", () => {
    // What it measures begins with the pause between two looks.
    const late = (quantile: number) => Math.max(0, lag.percentile(quantile * 100) / 1e9 - LOOK_EVERY_MS / 1000);
    const told = { [`${THREAD}|0.5`]: late(0.5), [`${THREAD}|0.99`]: late(0.99) };
    lag.reset();
    return told;
  });
  gauge("footfall_heap_bytes", "Memory of the thread's JavaScript that is used.", "thread", () => ({
    [THREAD]: process.memoryUsage().heapUsed,
  }));
}

/** What threads besides this one count. */
const otherThreads = processWide("metric-threads", () => [] as (() => Promise<Family[]>)[]);

/** Adds what another thread counts to the metrics of this process. */
export function addThread(read: () => Promise<Family[]>): void {
  otherThreads.push(read);
}

/** Starts to watch this thread and the process, where somebody may read their metrics. */
export function startMetrics(token: string | undefined): void {
  if (token === undefined) return;
  watchThread();
  gauge("process_resident_memory_bytes", "Memory of the whole process.", "", () => ({ "": process.memoryUsage.rss() }));
}

/**
 * The answer to `GET /metrics`: 404 without METRICS_TOKEN, 401 for a caller that does not show it.
 *
 * @param authorization the header of that name.
 */
export async function metricsAnswer(
  token: string | undefined,
  authorization: string | null,
  others: readonly (() => Promise<Family[]>)[] = otherThreads,
): Promise<Answer> {
  const headers = { "cache-control": "no-store" };
  if (token === undefined) return { status: 404, headers, body: "" };
  if (!timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`))) {
    return { status: 401, headers: { ...headers, "www-authenticate": "Bearer" }, body: "" };
  }
  const all = await Promise.all([readMetrics(), databaseMetrics(new Date()), ...others.map((read) => read())]);
  const body = await AggregatorRegistry.aggregate(all).metrics();
  return { status: 200, headers: { ...headers, "content-type": Registry.PROMETHEUS_CONTENT_TYPE }, body };
}

/** Metrics that all processes share; none while the database cannot be reached. */
async function databaseMetrics(now: Date): Promise<Family[]> {
  try {
    const [jobs, waiting] = await Promise.all([listJobs(now), db().mail.count()]);
    const lastRuns = jobs.flatMap(({ name, lastRun }) => (lastRun ? [[name, lastRun.getTime() / 1000] as const] : []));
    const failures = jobs.map(({ name, failures }) => [name, failures] as const);
    const metrics = new Registry();
    const add = (name: string, help: string, label: string, values: Record<string, number>) =>
      gaugeIn(metrics, name, help, label, () => values);
    add(
      "footfall_job_last_run_seconds",
      "When a job last came to an end (Unix time).",
      "job",
      Object.fromEntries(lastRuns),
    );
    add("footfall_job_failures", "Failures of a job in a row until now.", "job", Object.fromEntries(failures));
    add("footfall_letters_waiting", "Letters that wait to be sent.", "kind", { any: waiting });
    return await metrics.getMetricsAsJSON();
  } catch (error) {
    log.warn(describeError(error), "metrics are told without those of the database");
    return [];
  }
}
