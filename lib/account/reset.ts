import { randomUUID } from "node:crypto";
import { hadSecondFactor } from "@/lib/account/change-email";
import { setPassword } from "@/lib/account/change-password";
import { moveAlerts } from "@/lib/alerts/channels";
import { addressConfirmed, addressRestored, addressTakenBack, type Notice } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { type CodeKind, codeKindOf, personWays, selectWays, wrongCode } from "@/lib/auth/person-ways";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import { endSecondFactors } from "@/lib/auth/two-factor-setup";
import { requirePasswordSignIn } from "@/lib/auth/ways";
import { queueEmail, writeEmail } from "@/lib/email/mailer";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { requireRate, takeRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";
import { t } from "@/lib/texts/translate";

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
  const message = writeEmail(person, () => ({
    subject: t("Reset your password"),
    paragraphs: [
      `${t("We received a request to reset the password of your account. To choose a new password, open this link within one hour:")}\n${env().BASE_URL}/reset/${token}`,
      t("If you did not request this, you can ignore this email. Your password stays the same."),
    ],
    why: t("someone requested a password reset for your email address"),
  }));
  await db().$transaction(async (tx) => {
    const expiresAt = new Date(now.getTime() + LINK_TTL_MS);
    await tx.passwordReset.create({ data: { hash: hashOf(token), personId: person.id, createdAt: now, expiresAt } });
    await queueEmail(tx, message, now);
  });
}

/** What a reset link does. */
interface OpenedReset {
  /** The address that the account has afterwards. */
  email: string;
  /** Which code it requires; null: none. */
  code: CodeKind | null;
  /** Whether it gives the account a former address back. */
  restores: boolean;
}

/** Returns what a reset link does; null if it has expired. */
export async function openReset(token: string, now: Date): Promise<OpenedReset | null> {
  const row = await findReset(token, now);
  if (!row) return null;
  const { restores, person } = row;
  return { email: restores ?? person.email, code: await requiredCode(row), restores: restores !== null };
}

type FoundReset = NonNullable<Awaited<ReturnType<typeof findReset>>>;

const findReset = (token: string, now: Date) =>
  db().passwordReset.findUnique({
    where: { hash: hashOf(token), expiresAt: { gt: now } },
    include: { person: { select: { email: true, confirmedAt: true, ...selectWays() } } },
  });

/**
 * Two-factor authentication counts only once the email address is confirmed: a stranger may have set it up before. For a
 * former address it counts only if the account had it when the address was changed: a thief may have set it up since.
 */
async function requiredCode({ personId, person, restores, createdAt }: FoundReset): Promise<CodeKind | null> {
  if (person.confirmedAt === null) return null;
  if (restores !== null && !(await hadSecondFactor(personId, createdAt))) return null;
  return codeKindOf(personWays(person));
}

/**
 * Sets a new password with a single-use link, and ends all sessions, passkeys, other reset links and agents. Accounts with
 * two-factor authentication also need a code. If the email address was never confirmed, the reset confirms it, turns
 * two-factor authentication off, and the email sent afterwards lists the account's sites. A link that was sent to a former
 * address also gives the account that address again.
 *
 * @param typed a valid new password, and the code if the form asks for it
 * @returns the email address of the account
 * @throws Refusal `not_found` for a used or expired link and a former address that another account has, `invalid_input` at `code`, `rate_limited`
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
  const { personId, person, restores } = link;
  const passwordHash = await hashPassword(password);
  const kind = await requiredCode(link);
  if (kind) {
    await enforceRate(`reset:code:${personId}`, CODES_PER_ACCOUNT, WINDOW_MS, now);
    if (!(await takeSecondFactor(personId, code, now)))
      throw invalidInput([{ path: "code", message: wrongCode(kind) }]);
  }
  await db().$transaction(async (tx) => {
    const { count } = await tx.passwordReset.deleteMany({ where: { hash: hashOf(token), expiresAt: { gt: now } } });
    if (count === 0) throw linkExpired();
    const notice = restores
      ? await restoreAddress(tx, { personId, restores, createdAt: link.createdAt, isProven: kind !== null }, now)
      : person.confirmedAt === null
        ? await confirmByReset(tx, personId, now)
        : undefined;
    await setPassword(tx, { personId, passwordHash, requestId: randomUUID(), disconnectAgents: true, notice }, now);
  });
  return restores ?? person.email;
}

interface Restored {
  personId: number;
  restores: string;
  createdAt: Date;
  /** Whether a second factor was given; else those of the account are no longer its owner's. */
  isProven: boolean;
}

/**
 * Gives an account its former address again. Links of later changes end, because whoever made those may have them; links
 * of earlier ones stay. @returns the email to send.
 */
async function restoreAddress(
  tx: Db,
  { personId, restores, createdAt, isProven }: Restored,
  now: Date,
): Promise<Notice> {
  await lockRow(tx, "person", personId);
  const { email, language } = await tx.person.findUniqueOrThrow({ where: { id: personId } });
  if ((await tx.person.count({ where: { email: restores, id: { not: personId } } })) > 0) throw addressTaken();
  await tx.person.update({ where: { id: personId }, data: { email: restores } });
  await moveAlerts(tx, personId, { former: email, email: restores });
  if (!isProven) await endSecondFactors(tx, personId);
  await tx.passwordReset.deleteMany({ where: { personId, createdAt: { gte: createdAt } } });
  if (email !== restores) await queueEmail(tx, addressTakenBack({ email, language }, now), now);
  return addressRestored;
}

const addressTaken = () =>
  new Refusal(
    "not_found",
    "This address has another account by now. Ask the administrator of this service to help you.",
  );

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
