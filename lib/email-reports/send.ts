import { queueEmail } from "@/lib/email/mailer";
import { execute } from "@/lib/gateway/execute";
import preview from "@/lib/operations/sites.reports.preview";
import { type Db, db } from "@/lib/platform/db";
import { ERRORS, Refusal } from "@/lib/platform/errors";
import { type Cadence, lastPeriod, nextTime, type Period, type Schedule } from "@/lib/sites/reports/period";
import { unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { addressed, type WrittenReport } from "@/lib/sites/reports/write";
import { inLanguage } from "@/lib/texts/in-language";

/** Sends daily, weekly and monthly email reports, to members and to recipients that have confirmed. */

const BATCH_SIZE = 50;
/** Failed reports are postponed, so that they do not block others in the queue. */
const RETRY_AFTER_MS = 3600_000;

interface DueReport extends Schedule {
  siteId: number;
  siteZone: string;
  email: string;
  /** In which it is written; null for English. */
  language: string | null;
  cadence: Cadence;
  nextAt: Date;
  reportedUntil: Date | null;
  /** With whose permissions it is read; null if nobody is left. */
  readerId: number | null;
  toMember: boolean;
  token: string;
  /** Writes to the row unless another process has sent it meanwhile. @returns the number of changed rows */
  change(on: Db, data: { nextAt: Date; reportedUntil?: Date }): Promise<{ count: number }>;
}

/**
 * Sends all due reports. After downtime each subscription gets one late report, about the last full period.
 *
 * @throws the first error, after all other reports were tried.
 */
export async function sendReports(now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (const findDue of [dueMembers, dueRecipients]) {
    for (let due = await findDue(now); due.length > 0; due = due.length < BATCH_SIZE ? [] : await findDue(now)) {
      for (const one of due) {
        await send(one, now).catch((error) => {
          failures.push(error);
          return one.change(db(), { nextAt: new Date(now.getTime() + RETRY_AFTER_MS) });
        });
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Returns the next due reports of members. Callers reschedule or postpone each one before they fetch more. */
async function dueMembers(now: Date): Promise<DueReport[]> {
  const rows = await db().reportSubscription.findMany({
    where: { nextAt: { lte: now } },
    include: { membership: { select: { person: true, site: { select: { timezone: true } } } } },
    orderBy: [{ nextAt: "asc" }, { siteId: "asc" }, { personId: "asc" }],
    take: BATCH_SIZE,
  });
  return rows.map(({ membership, createdAt: _, ...row }) => ({
    ...row,
    siteZone: membership.site.timezone,
    email: membership.person.email,
    language: membership.person.language,
    readerId: membership.person.disabledAt ? null : row.personId,
    toMember: true,
    token: unsubscribeToken({ kind: "member", siteId: row.siteId, personId: row.personId, cadence: row.cadence }),
    change: (on, data) => {
      const { siteId, personId, cadence, nextAt } = row;
      return on.reportSubscription.updateMany({ where: { siteId, personId, cadence, nextAt }, data });
    },
  }));
}

/** Returns the next due reports of recipients that have confirmed. They are read with the permissions of an owner who is not disabled. */
async function dueRecipients(now: Date): Promise<DueReport[]> {
  const owners = {
    where: { role: "owner" as const, person: { disabledAt: null } },
    orderBy: { personId: "asc" as const },
    take: 1,
  };
  const rows = await db().recipientReport.findMany({
    where: { nextAt: { lte: now }, recipient: { confirmedAt: { not: null } } },
    include: {
      recipient: {
        include: { addedBy: { select: { language: true } }, site: { select: { timezone: true, memberships: owners } } },
      },
    },
    orderBy: [{ nextAt: "asc" }, { recipientId: "asc" }],
    take: BATCH_SIZE,
  });
  const emails = rows.map(({ recipient }) => recipient.email);
  const accounts = await db().person.findMany({
    where: { email: { in: emails } },
    select: { email: true, language: true },
  });
  const languages = new Map(accounts.map(({ email, language }) => [email, language]));
  return rows.map(({ recipient, ...row }) => ({
    ...row,
    siteId: recipient.siteId,
    siteZone: recipient.site.timezone,
    email: recipient.email,
    language: languages.get(recipient.email) ?? recipient.addedBy?.language ?? null,
    readerId: recipient.site.memberships[0]?.personId ?? null,
    toMember: false,
    token: unsubscribeToken({ kind: "recipient", recipientId: row.recipientId, cadence: row.cadence }),
    change: (on, data) => {
      const { recipientId, cadence, nextAt } = row;
      return on.recipientReport.updateMany({ where: { recipientId, cadence, nextAt }, data });
    },
  }));
}

/** Reschedules the report and queues the email in one transaction, so that only one process sends it. */
async function send(due: DueReport, now: Date): Promise<void> {
  const { cadence, siteZone, reportedUntil } = due;
  const period = lastPeriod(cadence, due, siteZone, now);
  const until = new Date(`${period.to}T00:00:00Z`);
  const unsent = !reportedUntil || reportedUntil < until;
  const report = unsent ? await writeReport(due, period, now) : null;
  await db().$transaction(async (tx) => {
    const nextAt = nextTime(cadence, due, siteZone, now);
    const { count } = await due.change(tx, { nextAt, ...(unsent && { reportedUntil: until }) });
    if (count > 0 && report) await queueEmail(tx, addressed(report, due.email, due.token), now);
  });
}

/** Reads the report with the reader's permissions; null if they no longer have access to the site, or it is disabled. */
async function writeReport(due: DueReport, { to }: Period, now: Date): Promise<WrittenReport | null> {
  const { siteId, cadence, readerId, toMember, language } = due;
  if (readerId === null) return null;
  const input = { site_id: siteId, cadence, until: `${to}`, to: toMember ? "member" : "recipient" };
  try {
    const call = { principal: { kind: "owner", personId: readerId }, input, now } as const;
    return (await inLanguage(language, () => execute(preview, call))).data;
  } catch (error) {
    // Any other refusal, such as a busy database, is temporary: the report is retried later.
    if (error instanceof Refusal && error.status === ERRORS.site_not_granted) return null;
    throw error;
  }
}
