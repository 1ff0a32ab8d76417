import { db } from "@/lib/platform/db";

/** The state of a background job. */
export interface JobStatus {
  name: string;
  /** When the last completed run ended, and its duration in milliseconds. */
  lastRun: Date | null;
  tookMs: number | null;
  /** When the next run is due. */
  nextAt: Date;
  /** Start of the current run; null while idle. */
  runningSince: Date | null;
  /** The process that ran it last. */
  process: string | null;
  /** Consecutive failures, and the time and error message of the last one. */
  failures: number;
  failedAt: Date | null;
  failure: string | null;
}

/** Lists the background jobs: failing ones first, then by name. */
export async function listJobs(now: Date): Promise<JobStatus[]> {
  const rows = await db().job.findMany({ orderBy: [{ failures: "desc" }, { name: "asc" }] });
  return rows.map(({ leaseUntil, startedAt, finishedAt, ...job }) => ({
    name: job.name,
    lastRun: finishedAt,
    tookMs: job.tookMs,
    nextAt: job.nextAt,
    runningSince: leaseUntil && leaseUntil > now ? startedAt : null,
    process: job.process,
    failures: job.failures,
    failedAt: job.failedAt,
    failure: job.failure,
  }));
}
