import { db } from "@/lib/platform/db";

/** How a job of the service goes. */
export interface JobStatus {
  name: string;
  /** When the last run that came to an end did so, and how long it took in milliseconds. */
  lastRun: Date | null;
  tookMs: number | null;
  /** When it is due again. */
  nextAt: Date;
  /** Set while it runs. */
  runningSince: Date | null;
  /** Which process ran it last. */
  process: string | null;
  /** Failures in a row until now, and the last one's time and words. */
  failures: number;
  failedAt: Date | null;
  failure: string | null;
}

/** The jobs of the service: those that fail first, then by their names. */
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
