import { timingSafeEqual } from "node:crypto";
import { AggregatorRegistry, Registry } from "prom-client";
import { listJobs } from "@/lib/admin/jobs";
import { db } from "@/lib/platform/db";
import type { Answer } from "@/lib/platform/http/http";
import { describeError, log } from "@/lib/platform/log";
import { counter, type Family, gauge, gaugeIn, readMetrics } from "@/lib/platform/metrics";
import { processWide } from "@/lib/platform/process-wide";
import { digest } from "@/lib/platform/secrets";
import { measureThread } from "@/lib/server/thread-metrics";

const REQUESTS = counter({
  name: "footfall_http_requests_total",
  help: "Answers by route and status.",
  labelNames: ["route", "status"],
});
const MAX_ROUTES = 1_000;
const knownRoutes = processWide("metric-routes", () => new Set<string>());

/** Counts an answer of a known route. */
export const countAnswer = (route: string, status: number): void => REQUESTS.inc({ route, status });

/**
 * Counts an answer by its route, once that route has answered a request successfully. All other paths may be invented
 * by clients and count without a route, because each label uses memory for the life of the process.
 */
export function countAnswerTo(route: string, status: number): void {
  if (status < 300 && knownRoutes.size < MAX_ROUTES) knownRoutes.add(route);
  countAnswer(knownRoutes.has(route) ? route : "", status);
}

/** Readers of the metrics of other threads. */
const otherThreads = processWide("metric-threads", () => [] as (() => Promise<Family[]>)[]);

/** Adds the metrics of another thread to the metrics of this process. */
export function addThread(read: () => Promise<Family[]>): void {
  otherThreads.push(read);
}

/** Starts to measure this thread and the process, when metrics are enabled. */
export function startMetrics(token: string | undefined): void {
  if (token === undefined) return;
  measureThread();
  gauge("process_resident_memory_bytes", "Resident memory of the process.", "", () => ({
    "": process.memoryUsage.rss(),
  }));
}

/**
 * Returns the answer to `GET /metrics`: 404 without METRICS_TOKEN, 401 for callers without the token.
 *
 * @param authorization the Authorization header.
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

/** Returns metrics from the database; empty while it is unavailable. */
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
      "Time of the last completed run of a job (Unix time).",
      "job",
      Object.fromEntries(lastRuns),
    );
    add("footfall_job_failures", "Consecutive failures of a job.", "job", Object.fromEntries(failures));
    add("footfall_emails_waiting", "Emails waiting to be sent.", "kind", { any: waiting });
    return await metrics.getMetricsAsJSON();
  } catch (error) {
    log.warn(describeError(error), "metrics are incomplete: the database is unavailable");
    return [];
  }
}
