import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Worker } from "node:worker_threads";
import { listJobs } from "@/lib/admin/jobs";
import { db } from "@/lib/db";
import { describeError, log } from "@/lib/log";
import { counter, type Family, gauge, gaugeOf, readMetrics, THREAD } from "@/lib/metrics/registry";
import { metricsText } from "@/lib/metrics/text";
import { digest } from "@/lib/secrets";

const REQUESTS = counter("footfall_http_requests_total", "Answers by route and status.", "route|status");

/** Counts an answer of a route of ours. */
export const countAnswer = (route: string, status: number): void => REQUESTS.add(`${route}|${status}`);

/**
 * Counts an answer to whatever was asked for. What is not found, sent elsewhere or refused before anything is known of who
 * asks has no route: strangers choose those words, and would use up the series of ours.
 */
export const countAnswerTo = (route: string, status: number): void =>
  countAnswer(status < 300 || status >= 409 ? route : "", status);

const LOOK_EVERY_MS = 20;
const TELL_WITHIN_MS = 2_000;

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

/**
 * Answers `GET /metrics` where there is a token for it.
 *
 * @param others what other threads count.
 * @returns whether it was asked for.
 */
export function metricsAt(token: string | undefined, others: () => Promise<Family[]>) {
  if (token === undefined) return () => false;
  watchThread();
  const wanted = digest(`Bearer ${token}`);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url?.split("?", 1)[0] !== "/metrics" || request.method !== "GET") return false;
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), wanted)) {
      response.writeHead(401, { "www-authenticate": "Bearer", "cache-control": "no-store" }).end();
      return true;
    }
    tell(response, others).catch((error) => {
      log.error(describeError(error), "the metrics could not be told");
      response.destroy();
    });
    return true;
  };
}

async function tell(response: ServerResponse, others: () => Promise<Family[]>): Promise<void> {
  const [pages, kept] = await Promise.all([others(), keptMetrics(new Date())]);
  const memory = gaugeOf("process_resident_memory_bytes", "Memory of the whole process.", "", {});
  memory.samples = [{ suffix: "", labels: [], value: process.memoryUsage.rss() }];
  response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" });
  response.end(metricsText([memory, ...readMetrics(), ...pages, ...kept]));
}

/** How a thread answers to "metrics". */
export interface ThreadMetrics {
  metrics: Family[];
}

/** What a thread counts; nothing when it is too busy to say, or not there. */
export function metricsOfThread(thread: Worker): Promise<Family[]> {
  return new Promise((resolve) => {
    const end = (told: Family[]) => {
      clearTimeout(timer);
      thread.off("message", hear);
      resolve(told);
    };
    const hear = (word: unknown) => {
      if (typeof word === "object" && word !== null && "metrics" in word) end((word as ThreadMetrics).metrics);
    };
    const timer = setTimeout(() => end([]), TELL_WITHIN_MS);
    thread.on("message", hear);
    thread.postMessage("metrics");
  });
}

/** What stands in the database, the same for all processes; nothing of it while that is away. */
async function keptMetrics(now: Date): Promise<Family[]> {
  try {
    const [jobs, waiting] = await Promise.all([listJobs(now), db().mail.count()]);
    const each = (value: (job: (typeof jobs)[number]) => number | null) =>
      Object.fromEntries(jobs.flatMap((job) => [[job.name, value(job)]].filter(([, told]) => told !== null)));
    const seconds = (at: Date | null) => (at ? at.getTime() / 1000 : null);
    return [
      gaugeOf(
        "footfall_job_last_run_seconds",
        "When a job last came to an end (Unix time).",
        "job",
        each((job) => seconds(job.lastRun)),
      ),
      gaugeOf(
        "footfall_job_failures",
        "Failures of a job in a row until now.",
        "job",
        each((job) => job.failures),
      ),
      gaugeOf("footfall_letters_waiting", "Letters that wait to be sent.", "kind", { any: waiting }),
    ];
  } catch (error) {
    log.warn(describeError(error), "metrics are told without those of the database");
    return [];
  }
}
