import { queueEmail } from "@/lib/email/mailer";
import { type ReportData, reportEmail } from "@/lib/email-reports/write";
import { execute } from "@/lib/gateway/execute";
import changes from "@/lib/operations/analytics.changes";
import chart from "@/lib/operations/analytics.chart";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { ERRORS, Refusal } from "@/lib/platform/errors";
import { primaryNameOf } from "@/lib/sites/notices";
import { type Cadence, lastPeriod, nextTime, type Period } from "@/lib/sites/reports/period";
import { unsubscribeLinks, unsubscribeToken } from "@/lib/sites/reports/subscriptions";

/** Sends weekly and monthly email reports. */

const BATCH_SIZE = 50;
/** Failed reports are postponed, so that they do not block others in the queue. */
const RETRY_AFTER_MS = 3600_000;

interface DueReport {
  siteId: number;
  personId: number;
  cadence: Cadence;
  nextAt: Date;
  reportedUntil: Date | null;
}

/**
 * Sends all due reports. After downtime each subscription gets one late report, about the last full week or month.
 *
 * @throws the first error, after all other reports were tried.
 */
export async function sendReports(now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (let due = await findDue(now); due.length > 0; due = due.length < BATCH_SIZE ? [] : await findDue(now)) {
    for (const { membership, ...one } of due) {
      const { person, site } = membership;
      await send(one, person.email, site.timezone, now).catch((error) => {
        failures.push(error);
        return postpone(one, now);
      });
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Returns the next due subscriptions. Callers reschedule or postpone each one before they fetch more. */
const findDue = (now: Date) =>
  db().reportSubscription.findMany({
    where: { nextAt: { lte: now } },
    include: { membership: { select: { person: true, site: { select: { timezone: true } } } } },
    orderBy: [{ nextAt: "asc" }, { siteId: "asc" }, { personId: "asc" }],
    take: BATCH_SIZE,
  });

async function postpone({ siteId, personId, cadence, nextAt }: DueReport, now: Date): Promise<void> {
  await db().reportSubscription.updateMany({
    where: { siteId, personId, cadence, nextAt },
    data: { nextAt: new Date(now.getTime() + RETRY_AFTER_MS) },
  });
}

/** Reschedules the subscription and queues the email in one transaction, so that only one process sends it. */
async function send(due: DueReport, email: string, timezone: string, now: Date): Promise<void> {
  const { siteId, personId, cadence, nextAt, reportedUntil } = due;
  const period = lastPeriod(cadence, timezone, now);
  const until = new Date(`${period.to}T00:00:00Z`);
  const unsent = !reportedUntil || reportedUntil < until;
  const data = unsent ? await readReportData(due, period, now) : null;
  await db().$transaction(async (tx) => {
    const { count } = await tx.reportSubscription.updateMany({
      where: { siteId, personId, cadence, nextAt },
      data: { nextAt: nextTime(cadence, timezone, now), ...(unsent && { reportedUntil: until }) },
    });
    if (count === 0 || !data) return;
    const links = unsubscribeLinks(unsubscribeToken(due));
    await queueEmail(tx, reportEmail(email, { siteId, cadence, period, data, links }), now);
  });
}

/** Reads the report with this person's permissions; null if they no longer have access to the site. */
async function readReportData(
  { siteId, personId }: DueReport,
  { from, to }: Period,
  now: Date,
): Promise<ReportData | null> {
  const principal = { kind: "owner", personId } as const;
  const range = { site_id: siteId, from: `${from}`, to: `${to}` };
  try {
    const { data } = await execute(overview, { principal, input: { ...range, compare: "previous_period" }, now });
    const changed = await execute(changes, {
      principal,
      input: { ...range, compare: "previous_period", limit: 1 },
      now,
    });
    const daily = await execute(chart, { principal, input: { ...range, interval: "day" }, now });
    const name = await primaryNameOf(db(), siteId);
    const { buckets, annotations } = daily.data;
    return {
      ...data,
      ...name,
      visitorsByDay: buckets.map(({ visitors }) => visitors),
      annotations,
      changes: changed.data.findings.map(({ sentence }) => sentence),
    };
  } catch (error) {
    // Any other refusal, such as a busy database, is temporary: the report is retried later.
    if (error instanceof Refusal && error.status === ERRORS.site_not_granted) return null;
    throw error;
  }
}
