import { nextAlertMessageAt, sendAlerts } from "@/lib/alerts/deliver";
import { watchAlerts } from "@/lib/alerts/watch";
import { nextEmailAt, sendQueuedEmails } from "@/lib/email/mailer";
import { sendReports } from "@/lib/email-reports/send";
import { deleteExpiredMonthSalts, deleteExpiredSalts } from "@/lib/ingest/identity/salts";
import { deleteExpiredPageKeys } from "@/lib/ingest/store/event-id";
import { addMonth } from "@/lib/ingest/store/partitions";
import { reclassifySites } from "@/lib/ingest/store/reclassify";
import { eraseLeftoverReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { deleteOldChanges } from "@/lib/ingest/store/sequence";
import { deleteOldTimedVisitors } from "@/lib/ingest/store/timed-visitors";
import { refreshRates } from "@/lib/jobs/reference-rates";
import type { Job } from "@/lib/jobs/scheduler";
import { readSignatureDirectories } from "@/lib/jobs/signature-directories";
import { sweepExpired } from "@/lib/jobs/sweep";
import { updateCopies } from "@/lib/jobs/update-copies";
import { nextDeliveryAt, sendDeliveries } from "@/lib/monitoring/deliver";
import { checkPages, nextPageCheckAt } from "@/lib/monitoring/pages";
import { watchTraffic } from "@/lib/monitoring/traffic";
import { MINUTE_MS } from "@/lib/platform/durations";
import { fetchDue, nextFetchAt } from "@/lib/search/fetch";
import { nextSearchPurgeAt, purgeSearch } from "@/lib/search/purge";
import { lookAgain } from "@/lib/sites/contested-domains";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { nextPurgeAt, purgeSites } from "@/lib/sites/purge";
import { sweepTrackingTests } from "@/lib/sites/tracking-tests";
import { nextImportAt, runImports } from "@/lib/transfer/import-runs";

/**
 * All periodic jobs, in the order in which a starting server runs them. Names are stored in the database, and in the
 * triggers of the tables whose new rows wake a job (`wake_job`).
 */
export const JOBS = [
  { name: "sweep-salts", everyMs: 5 * MINUTE_MS, run: deleteExpiredSalts },
  { name: "sweep-month-salts", everyMs: 5 * MINUTE_MS, run: deleteExpiredMonthSalts },
  {
    name: "sweep-returning-visitors",
    everyMs: 60 * MINUTE_MS,
    run: eraseLeftoverReturningVisitors,
    interruptible: true,
  },
  { name: "add-months", everyMs: 12 * 60 * MINUTE_MS, run: addMonths },
  { name: "sweep-expired", everyMs: 60 * MINUTE_MS, run: sweepExpired },
  { name: "sweep-page-keys", everyMs: 60 * MINUTE_MS, run: deleteExpiredPageKeys },
  { name: "sweep-timed-visitors", everyMs: 60 * MINUTE_MS, run: deleteOldTimedVisitors },
  { name: "sweep-changes", everyMs: 12 * 60 * MINUTE_MS, run: deleteOldChanges },
  { name: "sweep-tracking-tests", everyMs: 10 * MINUTE_MS, run: sweepTrackingTests },
  { name: "purge-sites", everyMs: 10 * MINUTE_MS, run: purgeSites, nextAt: nextPurgeAt },
  { name: "delete-expired-events", everyMs: 10 * MINUTE_MS, run: deleteExpiredEvents, interruptible: true },
  { name: "send-mail", everyMs: 10 * MINUTE_MS, run: sendQueuedEmails, nextAt: nextEmailAt },
  {
    name: "send-webhooks",
    everyMs: 10 * MINUTE_MS,
    run: (now: Date) => sendDeliveries(now),
    nextAt: nextDeliveryAt,
  },
  { name: "reclassify-sites", everyMs: 10 * MINUTE_MS, run: reclassifySites },
  { name: "refresh-rates", everyMs: 3 * 60 * MINUTE_MS, run: (now: Date) => refreshRates(now), interruptible: true },
  {
    name: "read-signature-directories",
    everyMs: 60 * MINUTE_MS,
    run: (now: Date) => readSignatureDirectories(now),
    interruptible: true,
  },
  { name: "update-copies", everyMs: 10 * MINUTE_MS, run: (now: Date) => updateCopies(now), interruptible: true },
  {
    name: "check-pages",
    everyMs: 10 * MINUTE_MS,
    run: (now: Date) => checkPages(now),
    nextAt: nextPageCheckAt,
    interruptible: true,
  },
  { name: "fetch-search", everyMs: 30 * MINUTE_MS, run: fetchSearch, nextAt: nextSearchWorkAt, interruptible: true },
  { name: "look-again", everyMs: 60 * MINUTE_MS, run: (now: Date) => lookAgain(now), interruptible: true },
  { name: "send-reports", everyMs: 5 * MINUTE_MS, run: sendReports, interruptible: true },
  { name: "watch-traffic", everyMs: 5 * MINUTE_MS, run: watchTraffic, interruptible: true },
  { name: "run-imports", everyMs: 30 * MINUTE_MS, run: runImports, nextAt: nextImportAt, interruptible: true },
  { name: "watch-alerts", everyMs: 5 * MINUTE_MS, run: watchAlerts, interruptible: true },
  { name: "send-alerts", everyMs: 30 * MINUTE_MS, run: (now: Date) => sendAlerts(now), nextAt: nextAlertMessageAt },
] as const satisfies readonly Job[];
export type JobName = (typeof JOBS)[number]["name"];

async function fetchSearch(now: Date): Promise<void> {
  await purgeSearch(now);
  await fetchDue(now);
}

async function nextSearchWorkAt(): Promise<Date | null> {
  const due = [await nextFetchAt(), await nextSearchPurgeAt()].flatMap((at) => at?.getTime() ?? []);
  return due.length > 0 ? new Date(Math.min(...due)) : null;
}

/** Creates the partitions of this month and the next two, ahead of the first events. */
export async function addMonths(now: Date): Promise<void> {
  for (let ahead = 0; ahead < 3; ahead++) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await addMonth(month);
  }
}
