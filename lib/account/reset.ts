import { randomUUID } from "node:crypto";
import { setPassword } from "@/lib/account/change-password";
import { addressConfirmed, type Notice } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { type CodeKind, codeKindOf, personWays, selectWays, wrongCode } from "@/lib/auth/person-ways";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import { endSecondFactors } from "@/lib/auth/two-factor-setup";
import { requirePasswordSignIn } from "@/lib/auth/ways";
import { queueEmail, writeEmail } from "@/lib/email/mailer";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requireRate, takeRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";

const HOUR_MS = 3600_000;
const LINK_TTL_MS = HOUR_MS;
const EMAILS_PER_ACCOUNT = 3;
const ATTEMPTS_PER_ADDRESS = 20;
const WINDOW_MS = 15 * 60_000;
const CODES_PER_ACCOUNT = 5;

/**
 * Accepts a request for a password reset link. It does the same work for every email address; the caller runs
 * `sendReset` after responding, so that neither the response nor its timing reveals who has an account.
 *
 * @param email the normalised address
 * @returns whether to send a link; false if three were sent to it within the last hour.
 * @throws Refusal `rate_limited` after 20 requests per hour and IP address.
 */
export async function requestReset(email: string, address: string, now: Date): Promise<boolean> {
  requirePasswordSignIn();
  await enforceRate(`reset:address:${hexDigest(countedAddress(address))}`, ATTEMPTS_PER_ADDRESS, HOUR_MS, now);
  return (await takeRate(`reset:account:${hexDigest(email)}`, EMAILS_PER_ACCOUNT, HOUR_MS, now)).allowed;
}

/** Emails the reset link if the email address has an account. */
export async function sendReset(email: string, now: Date): Promise<void> {
  const person = await db().person.findUnique({ where: { email } });
  if (!person) return;
  const token = freshSecret();
  const message = writeEmail(
    person.email,
    "Reset your password",
    [
      `We received a request to reset the password of your account. To choose a new password, open this link within one hour:\n${env().BASE_URL}/reset/${token}`,
      "If you did not request this, you can ignore this email. Your password stays the same.",
    ],
    "someone requested a password reset for your email address",
  );
  await db().$transaction(async (tx) => {
    const expiresAt = new Date(now.getTime() + LINK_TTL_MS);
    await tx.passwordReset.create({ data: { hash: hashOf(token), personId: person.id, createdAt: now, expiresAt } });
    await queueEmail(tx, message, now);
  });
}

/** Returns the account a reset link is for, and which code it requires (null: none); null if the link has expired. */
export async function openReset(token: string, now: Date): Promise<{ email: string; code: CodeKind | null } | null> {
  const row = await findReset(token, now);
  return row && { email: row.person.email, code: requiredCode(row.person) };
}

const findReset = (token: string, now: Date) =>
  db().passwordReset.findUnique({
    where: { hash: hashOf(token), expiresAt: { gt: now } },
    include: { person: { select: { email: true, confirmedAt: true, ...selectWays() } } },
  });

/** Two-factor authentication counts only once the email address is confirmed: a stranger may have set it up before. */
const requiredCode = (person: NonNullable<Awaited<ReturnType<typeof findReset>>>["person"]): CodeKind | null =>
  person.confirmedAt === null ? null : codeKindOf(personWays(person));

/**
 * Sets a new password with a single-use link, and ends all sessions, passkeys, other reset links and agents. Accounts with
 * two-factor authentication also need a code. If the email address was never confirmed, the reset confirms it, turns
 * two-factor authentication off, and the email sent afterwards lists the account's sites.
 *
 * @param typed a valid new password, and the code if the form asks for it
 * @returns the email address of the account
 * @throws Refusal `not_found` for a used or expired link, `invalid_input` at `code`, `rate_limited`
 */
export async function resetPassword(
  token: string,
  { password, code = "" }: { password: string; code?: string | undefined },
  address: string,
  now: Date,
): Promise<string> {
  requirePasswordSignIn();
  await enforceRate(`reset:use:${hexDigest(countedAddress(address))}`, ATTEMPTS_PER_ADDRESS, WINDOW_MS, now);
  const link = await findReset(token, now);
  if (!link) throw linkExpired();
  const { personId, person } = link;
  const passwordHash = await hashPassword(password);
  const kind = requiredCode(person);
  if (kind) {
    await enforceRate(`reset:code:${personId}`, CODES_PER_ACCOUNT, WINDOW_MS, now);
    if (!(await takeSecondFactor(personId, code, now)))
      throw invalidInput([{ path: "code", message: wrongCode(kind) }]);
  }
  await db().$transaction(async (tx) => {
    const { count } = await tx.passwordReset.deleteMany({ where: { hash: hashOf(token), expiresAt: { gt: now } } });
    if (count === 0) throw linkExpired();
    const notice = person.confirmedAt === null ? await confirmByReset(tx, personId, now) : undefined;
    await setPassword(tx, { personId, passwordHash, requestId: randomUUID(), disconnectAgents: true, notice }, now);
  });
  return person.email;
}

/** Confirms the email address of an account that never was. @returns the email to send. */
async function confirmByReset(tx: Db, personId: number, now: Date): Promise<Notice> {
  await tx.person.update({ where: { id: personId }, data: { confirmedAt: now } });
  await endSecondFactors(tx, personId);
  const sites = await tx.siteDomain.findMany({
    where: { isPrimary: true, site: { memberships: { some: { personId } } } },
    select: { host: true },
    orderBy: { host: "asc" },
  });
  return addressConfirmed(sites.map(({ host }) => host));
}

const enforceRate = (key: string, limit: number, windowMs: number, now: Date): Promise<void> =>
  requireRate(key, limit, windowMs, now, "Too many attempts. Wait a while, then try again.");

const linkExpired = () => new Refusal("not_found", "This link has been used or has expired. Request a new one.");
