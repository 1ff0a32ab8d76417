import { db } from "@/lib/platform/db";
import { plainText } from "@/lib/platform/text";

/**
 * Job leases. One conditional UPDATE gives a run to exactly one process, which renews the lease while it runs. Another
 * process takes over when the lease expires.
 */

/** How long a lease is valid after its last renewal. */
export const LEASE_MS = 60_000;
/** Delay of the first retry after a failure; it doubles with each further failure, up to the job's interval. */
const FIRST_RETRY_MS = 60_000;
const MAX_ERROR_LENGTH = 500;
const UNFINISHED = "The run did not finish: its process died, or it took too long.";

/** One run of a job. The run number distinguishes it from a run that took over. */
export interface JobLease {
  name: string;
  number: number;
  startedAt: Date;
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** Registers jobs. New jobs are due immediately; a changed interval applies to the next run. */
export async function registerJobs(jobs: readonly { name: string; everyMs: number }[], now: Date): Promise<void> {
  await db().$executeRaw`
    INSERT INTO job (name, every_ms, next_at)
    SELECT name, every_ms, ${now}::timestamptz
    FROM unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ everyMs }) => everyMs)}::int[]) AS job(name, every_ms)
    ORDER BY name
    ON CONFLICT (name) DO UPDATE SET every_ms = excluded.every_ms,
      next_at = least(job.next_at, ${now}::timestamptz + excluded.every_ms * interval '1 millisecond')
    WHERE job.every_ms <> excluded.every_ms`;
}

/**
 * Leases a job that is due and not running. A run whose lease expired counts as failed.
 *
 * @param process a readable name of the calling process.
 * @param early whether new work waits, so that the job is due now.
 * @returns null when the job is not due or another process runs it.
 */
export async function acquireJobLease(
  name: string,
  process: string,
  now: Date,
  early = false,
): Promise<JobLease | null> {
  const [leased] = await db().$queryRaw<{ number: number }[]>`
    UPDATE job SET
      runs = runs + 1, process = ${process}, started_at = ${now}, lease_until = ${leaseFrom(now)},
      next_at = ${now}::timestamptz + every_ms * interval '1 millisecond',
      failures = failures + (lease_until IS NOT NULL)::int,
      failure = CASE WHEN lease_until IS NULL THEN failure ELSE ${UNFINISHED} END,
      failed_at = coalesce(lease_until, failed_at)
    WHERE name = ${name} AND (${early} OR next_at <= ${now}) AND (lease_until IS NULL OR lease_until <= ${now})
    RETURNING runs AS number`;
  return leased ? { name, number: leased.number, startedAt: now } : null;
}

/** Returns when to check the job again: when it is due or its lease expires. Null for an unregistered job. */
export async function nextCheckAt(name: string): Promise<Date | null> {
  const job = await db().job.findUnique({ where: { name } });
  return job && (job.leaseUntil && job.leaseUntil > job.nextAt ? job.leaseUntil : job.nextAt);
}

/** Extends the lease of a run. Does nothing after another process has taken over. */
export async function renewJobLease({ name, number }: JobLease, now: Date): Promise<void> {
  await db().job.updateMany({
    where: { name, runs: number, leaseUntil: { not: null } },
    data: { leaseUntil: leaseFrom(now) },
  });
}

/** How a run ended: with an error, or with the time when work that already waits is due. */
export type JobResult = { error: unknown } | { nextAt: Date | null };

/** Records the result of a run. @returns when the job is due again; null when another process has taken over. */
export async function finishJob(
  { name, number, startedAt }: JobLease,
  now: Date,
  result: JobResult = { nextAt: null },
): Promise<Date | null> {
  const tookMs = Math.max(0, now.getTime() - startedAt.getTime());
  const message = "error" in result ? errorInOneLine(result.error) : null;
  const due = "error" in result ? null : result.nextAt;
  const [finished] = await db().$queryRaw<{ nextAt: Date }[]>`
    UPDATE job SET
      lease_until = NULL, finished_at = ${now}, took_ms = ${tookMs},
      failures = CASE WHEN ${message}::text IS NULL THEN 0 ELSE failures + 1 END,
      failure = coalesce(${message}, failure),
      failed_at = CASE WHEN ${message}::text IS NULL THEN failed_at ELSE ${now} END,
      next_at = CASE WHEN ${message}::text IS NULL THEN least(next_at, ${due}::timestamptz)
        ELSE least(next_at, ${now}::timestamptz + ${FIRST_RETRY_MS} * pow(2, least(failures, 20)) * interval '1 millisecond') END
    WHERE name = ${name} AND runs = ${number}
    RETURNING next_at AS "nextAt"`;
  return finished?.nextAt ?? null;
}

/** Releases the lease when the process stops, so that the job is due again immediately. */
export async function releaseJobLease({ name, number }: JobLease, now: Date): Promise<void> {
  await db().job.updateMany({
    where: { name, runs: number, leaseUntil: { not: null } },
    data: { leaseUntil: null, nextAt: now },
  });
}

/** Returns the error message in one line. Long messages keep their end, where Prisma states the cause. */
function errorInOneLine(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const text = plainText(message.replace(/\s+/g, " ").trim().toWellFormed());
  return text.length > MAX_ERROR_LENGTH ? `… ${text.slice(-MAX_ERROR_LENGTH).toWellFormed()}` : text;
}
