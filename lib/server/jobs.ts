import { db, ingestPool } from "@/lib/db";
import { sweepSalts } from "@/lib/ingest/visitor";
import { describeError, log } from "@/lib/log";
import { sendWaitingMail } from "@/lib/mail";
import { purgeSites } from "@/lib/sites/purge";

const MINUTE_MS = 60_000;

/** What is done now and then. Each job may run in several processes at once without harm. */
const JOBS: { name: string; everyMs: number; run(now: Date): Promise<unknown> }[] = [
  { name: "sweep-salts", everyMs: 5 * MINUTE_MS, run: sweepSalts },
  { name: "add-months", everyMs: 12 * 60 * MINUTE_MS, run: addMonths },
  { name: "sweep-expired", everyMs: 60 * MINUTE_MS, run: sweepExpired },
  { name: "purge-sites", everyMs: MINUTE_MS, run: purgeSites },
  { name: "send-mail", everyMs: 3_000, run: sendWaitingMail },
];

/** Starts every job, now and then at its interval. @returns what stops them and waits for those that run. */
export function startJobs(): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const timers = JOBS.map(({ name, everyMs, run }) => {
    const once = () => {
      const work: Promise<void> = run(new Date())
        .then(
          () => {},
          (error) => log.error({ job: name, ...describeError(error) }, "a job failed"),
        )
        .finally(() => running.delete(work));
      running.add(work);
    };
    once();
    return setInterval(once, everyMs).unref();
  });
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}

/** Makes the partitions of this month and the next two, so that no event waits for one. */
export async function addMonths(now: Date): Promise<void> {
  for (let ahead = 0; ahead < 3; ahead++) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await ingestPool().query("SELECT facts.add_month($1::date)", [month.toISOString().slice(0, 10)]);
  }
}

/** How long a human can look up what was asked and decided, in days; what was done stays in the audit. */
const APPROVALS_KEPT_DAYS = 90;

/** Deletes what has ended by itself: sign-ins, tokens, remembered answers, counts and old questions. */
async function sweepExpired(now: Date): Promise<void> {
  const over = { lt: now };
  await db().ownerSession.deleteMany({ where: { expiresAt: over } });
  await db().accessToken.deleteMany({ where: { expiresAt: over } });
  // A used refresh token is kept as long as its family may live, so that its reuse is noticed; a device code long
  // enough that its agent is told how it ended.
  await db().refreshToken.deleteMany({ where: { endsAt: over } });
  await db().deviceCode.deleteMany({ where: { expiresAt: { lt: new Date(now.getTime() - 24 * 60 * MINUTE_MS) } } });
  await db().idempotencyRecord.deleteMany({ where: { expiresAt: over } });
  await db().rateCount.deleteMany({ where: { resetsAt: over } });
  const longAgo = new Date(now.getTime() - APPROVALS_KEPT_DAYS * 24 * 60 * MINUTE_MS);
  await db().approval.deleteMany({ where: { expiresAt: { lt: longAgo } } });
}
