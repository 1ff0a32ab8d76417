import { moveAlerts } from "@/lib/alerts/channels";
import {
  type AccountEvent,
  addressAsked,
  addressChanged,
  emailPerson,
  formerAddressMayReturn,
  logAccount,
} from "@/lib/auth/notices";
import { hasSecondFactor, readWays } from "@/lib/auth/person-ways";
import { endSessions, lockSession } from "@/lib/auth/session-row";
import { hasAccount } from "@/lib/auth/signup";
import { passwordIsOn } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";
import { type Email, queueEmail, writeEmail } from "@/lib/email/mailer";
import { type Db, db, Prisma } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requireRate, takeRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";
import { msg, t } from "@/lib/texts/translate";

/** A person's name and address. A new address counts once its mailbox has confirmed it, and the former one can undo that. */

const LINK_HOURS = 48;
const RESTORE_HOURS = 72;
const ASKED_PER_HOUR = 5;
/** Of all accounts together, so that a stranger's mailbox is not flooded. */
const EMAILS_PER_ADDRESS_AND_DAY = 3;

/** Sets the name of a person, which members of their sites see; null for none. */
export async function renamePerson(owner: Owner, name: string | null, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await tx.person.update({ where: { id: owner.personId }, data: { name } });
    await logAccount(tx, owner.personId, "account.renamed", now);
  });
}

/**
 * Emails a link to a new address, and tells the current one. An address with an account gets an email that says so: the
 * answer is the same. A later request replaces an earlier one.
 *
 * @param email the normalised address
 * @throws Refusal `invalid_input` at `email` for the current one, `rate_limited` after five requests in an hour.
 */
export async function requestEmailChange(owner: Owner, email: string, now: Date): Promise<void> {
  const { personId } = owner;
  if (email === owner.email) throw invalidInput([{ path: "email", message: "is your address already" }]);
  const tooMany = `You asked for ${ASKED_PER_HOUR} new addresses within an hour. Try again later.`;
  await requireRate(`email-change:${personId}`, ASKED_PER_HOUR, HOUR_MS, now, tooMany);
  const toAddress = `email-change:to:${hexDigest(email)}`;
  const { allowed } = await takeRate(toAddress, EMAILS_PER_ADDRESS_AND_DAY, 24 * HOUR_MS, now);
  const token = freshSecret();
  const row = { hash: hashOf(token), email, createdAt: now, expiresAt: new Date(now.getTime() + LINK_HOURS * HOUR_MS) };
  const message = (await hasAccount(email)) ? addressIsTaken(email) : confirmation(email, token);
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await tx.emailChange.upsert({ where: { personId }, create: { personId, ...row }, update: row });
    if (allowed) await queueEmail(tx, message, now);
    await tell(tx, owner, "account.email_asked", now);
  });
}

/** An address that was never confirmed may be a stranger's, who need not know. */
async function tell(tx: Db, { personId, confirmed }: Owner, event: AccountEvent, now: Date): Promise<void> {
  if (confirmed) await emailPerson(tx, personId, addressAsked, now);
  else await logAccount(tx, personId, event, now);
}

const REASON = msg("someone entered your address as the new one of their account");

const confirmation = (email: string, token: string): Email =>
  writeEmail({ email, language: null }, () => ({
    subject: t("Confirm your new email address"),
    paragraphs: [
      `${t("Open this link within {hours} hours to make this the address of your account, in a browser in which you are signed in:", { hours: LINK_HOURS })}\n${env().BASE_URL}/confirm/email/${token}`,
      t("If you did not ask for it, ignore this email: nothing changes."),
    ],
    why: t(REASON),
  }));

const addressIsTaken = (email: string): Email =>
  writeEmail({ email, language: null }, () => ({
    subject: t("This address already has an account"),
    paragraphs: [
      t(
        "Somebody entered this address as the new one of their account. It has an account of its own, so nothing was changed.",
      ),
      `${t("If that was you, sign in with this address, or delete its account first:")}\n${env().BASE_URL}/login`,
    ],
    why: t(REASON),
  }));

/** Returns the address that waits for its confirmation; null if none does. */
export async function pendingEmail(personId: number, now: Date): Promise<string | null> {
  const row = await db().emailChange.findUnique({ where: { personId, expiresAt: { gt: now } } });
  return row?.email ?? null;
}

/** Returns the address of a link that was sent to a new address of this person; null if it is used, replaced or expired. */
export async function openEmailChange(personId: number, token: string, now: Date): Promise<string | null> {
  const row = await db().emailChange.findUnique({ where: { hash: hashOf(token), personId, expiresAt: { gt: now } } });
  return row?.email ?? null;
}

/** Withdraws a request for a new address: its link works no more. */
export async function cancelEmailChange(owner: Owner, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await tx.emailChange.deleteMany({ where: { personId: owner.personId } });
  });
}

/**
 * Makes the address of a link that of the signed-in person. Other sessions and links of the former address end. The
 * former address, if it was confirmed, is told and gets a link that takes the account back, for three days.
 *
 * @throws Refusal `not_found` for a link that is used, replaced, expired or of another account, and when the address has
 *   an account by now.
 */
export async function confirmEmailChange(owner: Owner, token: string, now: Date): Promise<void> {
  const { personId } = owner;
  await db()
    .$transaction(async (tx) => {
      await lockSession(tx, owner, now);
      const where = { hash: hashOf(token), personId, expiresAt: { gt: now } };
      const change = await tx.emailChange.findUnique({ where });
      if (!change) throw linkExpired();
      await tx.emailChange.delete({ where: { personId } });
      const { email: former, confirmedAt, language } = await tx.person.findUniqueOrThrow({ where: { id: personId } });
      const secondFactor = hasSecondFactor(await readWays(tx, personId));
      await tx.person.update({ where: { id: personId }, data: { email: change.email, confirmedAt: now } });
      await moveAlerts(tx, personId, { former, email: change.email });
      await endSessions(tx, personId, now, owner.sid);
      await tx.passwordReset.deleteMany({ where: { personId, restores: null } });
      await tx.pendingSignup.deleteMany({ where: { email: change.email } });
      if (confirmedAt !== null) await tellFormer(tx, { personId, former, email: change.email, language }, now);
      await emailPerson(tx, personId, addressChanged, now, { second_factor: secondFactor });
    })
    .catch((error) => {
      const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
      throw isTaken ? new Refusal("not_found", "This address has an account of its own by now.") : error;
    });
}

/** Whether the account had a second factor when its address was changed at this time; true if the log does not say. */
export async function hadSecondFactor(personId: number, changedAt: Date): Promise<boolean> {
  const where = { personId, at: changedAt, operation: "account.email_changed" satisfies AccountEvent };
  const without = { path: ["second_factor"], equals: false };
  return (await db().audit.count({ where: { ...where, detail: without } })) === 0;
}

/** Tells the former address, with a link that takes the account back: whoever took it may have the password too. */
async function tellFormer(
  tx: Db,
  { personId, former, email, language }: { personId: number; former: string; email: string; language: string | null },
  now: Date,
): Promise<void> {
  const token = freshSecret();
  if (passwordIsOn()) {
    const expiresAt = new Date(now.getTime() + RESTORE_HOURS * HOUR_MS);
    await tx.passwordReset.create({
      data: { hash: hashOf(token), personId, createdAt: now, expiresAt, restores: former },
    });
  }
  const link = passwordIsOn() ? `${env().BASE_URL}/reset/${token}` : null;
  await queueEmail(tx, formerAddressMayReturn({ former, email, link, hours: RESTORE_HOURS, language }, now), now);
}

const linkExpired = () =>
  new Refusal(
    "not_found",
    "This link was used, was replaced by a later one, has expired or is of another account. Enter the address on your account page again.",
  );
