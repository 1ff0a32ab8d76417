import { z } from "zod";
import { integerId } from "@/lib/contract/fields";
import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";
import { primaryDomainOf } from "@/lib/sites/notices";
import { type Cadence, nextTime, type Schedule, USUAL_SCHEDULE } from "@/lib/sites/reports/period";
import { describeSchedule, type ScheduleInput, scheduleShape, withSchedule } from "@/lib/sites/reports/subscriptions";
import { t } from "@/lib/texts/translate";

/** Addresses beside the members of a site that get its emails. Each must confirm by a link that works once. */

const LINK_MS = 3 * DAY_MS;
const MAX_RECIPIENTS = 50;
/** Emails that ask to confirm, within a day: to one address by all sites, and of one site. */
const ASKED = { address: 3, site: 30 };

export const recipientId = integerId("must be the id of a recipient, from sites.reports.get").meta({ examples: [3] });

/** A recipient in API responses. */
export const recipientShape = z
  .object({
    recipient_id: recipientId,
    email: z.string().meta({ examples: ["team@example.com"] }),
    confirmed: z.boolean().meta({ description: "Whether it has confirmed; before that it gets no emails" }),
    cadences: z
      .array(z.enum(["daily", "weekly", "monthly"]))
      .meta({ description: "Reports that it gets", examples: [["weekly"]] }),
    schedule: scheduleShape,
  })
  .meta({ id: "Recipient" });

const WITH_REPORTS = { reports: { orderBy: { cadence: "asc" as const } } };

/** Lists the recipients of a site by address. */
export const listRecipients = (on: Db, siteId: number) =>
  on.recipient.findMany({ where: { siteId }, include: WITH_REPORTS, orderBy: { email: "asc" } });

export const describeRecipient = ({
  id,
  email,
  confirmedAt,
  reports,
}: Awaited<ReturnType<typeof listRecipients>>[number]): z.input<typeof recipientShape> => ({
  recipient_id: id,
  email,
  confirmed: confirmedAt !== null,
  cadences: reports.map(({ cadence }) => cadence),
  schedule: describeSchedule(reports[0] ?? USUAL_SCHEDULE),
});

/**
 * Adds an address, or changes its reports. An address that has not confirmed is asked to, unless it is the caller's own
 * confirmed one.
 *
 * @throws Refusal `rate_limited` beyond the limits of emails, `invalid_input` beyond 50 addresses
 */
export async function addRecipient(
  { db: tx, site, principal, now }: SiteWork,
  { email, cadences, ...given }: { email: string; cadences: readonly Cadence[] } & ScheduleInput,
): Promise<z.input<typeof recipientShape>> {
  const key = { siteId_email: { siteId: site.id, email } };
  const before = await tx.recipient.findUnique({ where: key, include: WITH_REPORTS });
  if (!before && (await tx.recipient.count({ where: { siteId: site.id } })) >= MAX_RECIPIENTS) {
    throw invalidInput([
      { path: "email", message: `exceeds the limit of ${MAX_RECIPIENTS} recipients; remove one first` },
    ]);
  }
  const isOwn =
    principal.kind === "owner" &&
    (await tx.person.count({ where: { id: principal.personId, email, confirmedAt: { not: null } } })) > 0;
  const confirmedAt = before?.confirmedAt ?? (isOwn ? now : null);
  const row = await tx.recipient.upsert({
    where: key,
    create: { siteId: site.id, email, confirmedAt, addedById: principal.personId, createdAt: now },
    update: { confirmedAt },
  });
  await setReports(tx, row.id, site.timezone, cadences, withSchedule(before?.reports[0] ?? USUAL_SCHEDULE, given), now);
  if (!confirmedAt) await askToConfirm(tx, { id: row.id, siteId: site.id, email }, now);
  return describeRecipient(await tx.recipient.findUniqueOrThrow({ where: key, include: WITH_REPORTS }));
}

async function setReports(
  tx: Db,
  id: number,
  siteZone: string,
  cadences: readonly Cadence[],
  { weekday, monthDay, hour, timezone }: Schedule,
  now: Date,
): Promise<void> {
  await tx.recipientReport.deleteMany({ where: { recipientId: id, cadence: { notIn: [...cadences] } } });
  for (const cadence of cadences) {
    const schedule = { weekday, monthDay, hour, timezone };
    const data = { ...schedule, nextAt: nextTime(cadence, schedule, siteZone, now) };
    await tx.recipientReport.upsert({
      where: { recipientId_cadence: { recipientId: id, cadence } },
      create: { recipientId: id, cadence, ...data },
      update: data,
    });
  }
}

/** The limits count apart from the transaction, so that refused calls count too. */
async function askToConfirm(tx: Db, { id, siteId, email }: { id: number; siteId: number; email: string }, now: Date) {
  const toAddress = `${email} was asked ${ASKED.address} times within a day. Its owner finds the link in these emails; otherwise try again tomorrow.`;
  await requireRate(
    `recipients:${siteId}`,
    ASKED.site,
    DAY_MS,
    now,
    "This site asked many addresses today. Try again tomorrow.",
  );
  await requireRate(`recipient:${hexDigest(email)}`, ASKED.address, DAY_MS, now, toAddress);
  const [token, until] = [freshSecret(), new Date(now.getTime() + LINK_MS)];
  await tx.recipient.update({ where: { id }, data: { tokenHash: hashOf(token), tokenUntil: until } });
  const domain = await primaryDomainOf(tx, siteId);
  const message = writeEmail({ email, language: await languageOfRecipient(tx, siteId, email) }, () => ({
    subject: t("Confirm that you want emails about {domain}", { domain }),
    paragraphs: [
      t(
        "Somebody who manages {domain} on Footfall, a web analytics service, wants to send its reports or alerts to this address.",
        { domain },
      ),
      `${t("To get them, open this link before {time}:", { time: formatUtc(until) })}\n${env().BASE_URL}/recipients/confirm/${token}`,
      t("Without your confirmation nothing is sent. If you do not want these emails, you can ignore this one."),
    ],
    why: t("somebody entered your address"),
  }));
  await queueEmail(tx, message, now);
}

/** Returns the domain of the site and the address that a link confirms; null if it is expired, used or wrong. */
export async function openLink(token: string, now: Date): Promise<{ domain: string; email: string } | null> {
  const row = await db().recipient.findFirst({ where: { tokenHash: hashOf(token), tokenUntil: { gt: now } } });
  return row && { domain: await primaryDomainOf(db(), row.siteId), email: row.email };
}

/** Confirms an address by the link of its email. @returns false if the link is expired, used or wrong */
export async function confirmRecipient(token: string, now: Date): Promise<boolean> {
  const { count } = await db().recipient.updateMany({
    where: { tokenHash: hashOf(token), tokenUntil: { gt: now } },
    data: { confirmedAt: now, tokenHash: null, tokenUntil: null },
  });
  return count > 0;
}

/** Removes an address with its reports, and from alerts. @returns the address @throws Refusal `not_found` */
export async function removeRecipient({ db: tx, site }: SiteWork, id: number): Promise<string> {
  const row = await requireRecipient(tx, site.id, id);
  await tx.recipient.delete({ where: { id } });
  await tx.alertChannel.deleteMany({ where: { email: row.email, rule: { siteId: site.id } } });
  return row.email;
}

/** Returns a recipient of a site. @throws Refusal `not_found` */
export async function requireRecipient(on: Db, siteId: number, id: number) {
  const row = await on.recipient.findFirst({ where: { siteId, id } });
  if (!row) throw new Refusal("not_found", "The site has no recipient with this id. sites.reports.get lists them.");
  return row;
}

/** Returns the language of an address: that of its account or, without any, of who added it. Null if neither has chosen one. */
export async function languageOfRecipient(on: Db, siteId: number, email: string): Promise<string | null> {
  const person = await on.person.findUnique({ where: { email }, select: { language: true } });
  if (person?.language) return person.language;
  const where = { siteId_email: { siteId, email } };
  const recipient = await on.recipient.findUnique({ where, select: { addedBy: { select: { language: true } } } });
  return recipient?.addedBy?.language ?? null;
}

/** Returns which of these addresses may get emails of a site: confirmed recipients, and members with a confirmed address. */
export async function confirmedAmong(on: Db, siteId: number, emails: readonly string[]): Promise<Set<string>> {
  const where = { email: { in: [...emails] }, confirmedAt: { not: null } };
  const [recipients, members] = [
    await on.recipient.findMany({ where: { ...where, siteId }, select: { email: true } }),
    await on.person.findMany({
      where: { ...where, disabledAt: null, memberships: { some: { siteId } } },
      select: { email: true },
    }),
  ];
  return new Set([...recipients, ...members].map(({ email }) => email));
}
