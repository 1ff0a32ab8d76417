import { refreshRates } from "@/lib/analytics/reference-rates";
import { sealSites } from "@/lib/analytics/rollups";
import { ingestPool } from "@/lib/db";
import { sweepPageKeys } from "@/lib/ingest/claims";
import { reclassifySites } from "@/lib/ingest/reclassify";
import { sweepMonthSalts, sweepReturners } from "@/lib/ingest/returning";
import { sweepSalts } from "@/lib/ingest/visitor";
import { describeError, log } from "@/lib/log";
import { sendWaitingMail } from "@/lib/mail";
import { sweepExpired } from "@/lib/server/sweep";
import { purgeSites } from "@/lib/sites/purge";

const MINUTE_MS = 60_000;

/** What is done now and then. Each job may run in several processes at once without harm. */
interface Job {
  name: string;
  everyMs: number;
  run(now: Date): Promise<unknown>;
  /** It may take long, and loses nothing when it is cut short: a stop does not wait for it. */
  mayBeCut?: true;
}
export const JOBS: readonly Job[] = [
  { name: "sweep-salts", everyMs: 5 * MINUTE_MS, run: sweepSalts },
  { name: "sweep-month-salts", everyMs: 5 * MINUTE_MS, run: sweepMonthSalts },
  { name: "sweep-returners", everyMs: 60 * MINUTE_MS, run: sweepReturners, mayBeCut: true },
  { name: "add-months", everyMs: 12 * 60 * MINUTE_MS, run: addMonths },
  { name: "sweep-expired", everyMs: 60 * MINUTE_MS, run: sweepExpired },
  { name: "sweep-page-keys", everyMs: 60 * MINUTE_MS, run: sweepPageKeys },
  { name: "purge-sites", everyMs: MINUTE_MS, run: purgeSites },
  { name: "send-mail", everyMs: 3_000, run: sendWaitingMail },
  { name: "reclassify-sites", everyMs: 10 * MINUTE_MS, run: reclassifySites },
  { name: "refresh-rates", everyMs: 3 * 60 * MINUTE_MS, run: (now) => refreshRates(now), mayBeCut: true },
  { name: "seal-days", everyMs: 5 * MINUTE_MS, run: sealSites, mayBeCut: true },
];

/**
 * Runs every job once, one after the other, because a server that has just started has few connections and others to
 * give them to; and each at its interval. @returns what stops them and waits for those that run.
 */
export function startJobs(): () => Promise<void> {
  const running = new Set<Promise<void>>();
  let stopped = false;
  const once = ({ name, run, mayBeCut }: Job): Promise<void> => {
    const work: Promise<void> = run(new Date())
      .then(
        () => {},
        (error) => {
          if (!stopped) log.error({ job: name, ...describeError(error) }, "a job failed");
        },
      )
      .finally(() => running.delete(work));
    if (!mayBeCut) running.add(work);
    return work;
  };
  const timers = JOBS.map((job) => setInterval(() => void once(job), job.everyMs).unref());
  void (async () => {
    for (const job of JOBS) if (!stopped) await once(job);
  })();
  return async () => {
    stopped = true;
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
