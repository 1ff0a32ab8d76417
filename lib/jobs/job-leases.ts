import { db } from "@/lib/db";
import { plainText } from "@/lib/text";

/**
 * Whose turn a job is: each run is claimed by one conditional UPDATE, so that of any number of processes one has it. A
 * claim is a lease, which whoever runs it renews; when that process has died, the next one takes over.
 */

/** How long a run is believed to go on after it was last heard of. */
export const LEASE_MS = 60_000;
/** After a failure the next try comes sooner than the interval: after a minute, then two, four and so on. */
const FIRST_RETRY_MS = 60_000;
const MOST_WORDS = 500;
const UNENDED = "It did not come to an end: its process died, or it took too long.";

/** One run of a job: the number tells it from a run that has taken over. */
export interface JobLease {
  name: string;
  number: number;
  startedAt: Date;
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** Makes known what there is to do. New jobs are due at once, those of a new interval by it at the latest. */
export async function enrol(jobs: readonly { name: string; everyMs: number }[], now: Date): Promise<void> {
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
 * Takes a job that is due and that nobody runs. A run that was never ended counts as failed.
 *
 * @param process who asks, for people to read.
 * @returns null when it is not its turn.
 */
export async function claim(name: string, process: string, now: Date): Promise<JobLease | null> {
  const [taken] = await db().$queryRaw<{ number: number }[]>`
    UPDATE job SET
      runs = runs + 1, process = ${process}, started_at = ${now}, lease_until = ${leaseFrom(now)},
      next_at = ${now}::timestamptz + every_ms * interval '1 millisecond',
      failures = failures + (lease_until IS NOT NULL)::int,
      failure = CASE WHEN lease_until IS NULL THEN failure ELSE ${UNENDED} END,
      failed_at = coalesce(lease_until, failed_at)
    WHERE name = ${name} AND next_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now})
    RETURNING runs AS number`;
  return taken ? { name, number: taken.number, startedAt: now } : null;
}

/** When to look again: when it is due, or when whoever runs it should have been heard of. Null for one never enrolled. */
export async function dueAt(name: string): Promise<Date | null> {
  const job = await db().job.findUnique({ where: { name } });
  return job && (job.leaseUntil && job.leaseUntil > job.nextAt ? job.leaseUntil : job.nextAt);
}

/** Says that a run goes on. It does nothing once another process has taken over. */
export async function renew({ name, number }: JobLease, now: Date): Promise<void> {
  await db().job.updateMany({
    where: { name, runs: number, leaseUntil: { not: null } },
    data: { leaseUntil: leaseFrom(now) },
  });
}

/** Notes how a run ended. @param failure what it failed with; undefined when it did not. */
export async function finish(
  { name, number, startedAt }: JobLease,
  now: Date,
  failure?: { error: unknown },
): Promise<void> {
  const tookMs = Math.max(0, now.getTime() - startedAt.getTime());
  const words = failure ? wordsOf(failure.error) : null;
  await db().$executeRaw`
    UPDATE job SET
      lease_until = NULL, finished_at = ${now}, took_ms = ${tookMs},
      failures = CASE WHEN ${words}::text IS NULL THEN 0 ELSE failures + 1 END,
      failure = coalesce(${words}, failure),
      failed_at = CASE WHEN ${words}::text IS NULL THEN failed_at ELSE ${now} END,
      next_at = CASE WHEN ${words}::text IS NULL THEN next_at
        ELSE least(next_at, ${now}::timestamptz + ${FIRST_RETRY_MS} * pow(2, least(failures, 20)) * interval '1 millisecond') END
    WHERE name = ${name} AND runs = ${number}`;
}

/** Gives a run back that is cut short because its process stops: whoever looks next begins it anew. */
export async function giveBack({ name, number }: JobLease, now: Date): Promise<void> {
  await db().job.updateMany({
    where: { name, runs: number, leaseUntil: { not: null } },
    data: { leaseUntil: null, nextAt: now },
  });
}

/** An error's own words in one line. Prisma's begin with the call; what went wrong stands at their end. */
function wordsOf(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const text = plainText(message.replace(/\s+/g, " ").trim().toWellFormed());
  return text.length > MOST_WORDS ? `… ${text.slice(-MOST_WORDS).toWellFormed()}` : text;
}
