import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { setPassword } from "@/lib/account/change-password";
import { parseFields } from "@/lib/auth/create-person";
import { emailAddress } from "@/lib/auth/email";
import { addressConfirmed, type Notice } from "@/lib/auth/notices";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import { endSecondFactor } from "@/lib/auth/two-factor-setup";
import { queueEmail, writeEmail } from "@/lib/email/mailer";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { takeRate } from "@/lib/platform/rate";
import { digest, freshSecret } from "@/lib/platform/secrets";

const HOUR_MS = 3600_000;
const LINK_LIVES_MS = HOUR_MS;
const LETTERS_PER_ACCOUNT = 3;
const TRIES_PER_ADDRESS = 20;
const WINDOW_MS = 15 * 60_000;
const CODES_PER_ACCOUNT = 5;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hashOf = (token: string) => new Uint8Array(digest(token));

/**
 * Someone asks for a link by which they may choose a new password. What is done here is the same for every address; the
 * letter itself is `sendReset`'s, which the caller runs after the answer, so that neither the answer nor its time tells
 * who has an account.
 *
 * @returns the address that may get a letter; null when it got three within the hour.
 * @throws Refusal `invalid_input` for what is no address, `rate_limited` after 20 within an hour from one browser's address.
 */
export async function requestReset(typed: unknown, address: string, now: Date): Promise<string | null> {
  const email = emailAddress.safeParse(typed);
  if (!email.success)
    throw invalidInput([{ path: "email", message: "must be an e-mail address such as you@example.com" }]);
  await take(`reset:address:${sha256(countedAddress(address))}`, TRIES_PER_ADDRESS, HOUR_MS, now);
  const { allowed } = await takeRate(`reset:account:${sha256(email.data)}`, LETTERS_PER_ACCOUNT, HOUR_MS, now);
  return allowed ? email.data : null;
}

/** Writes the letter with the link, if the address has an account. */
export async function sendReset(email: string, now: Date): Promise<void> {
  const person = await db().person.findUnique({ where: { email } });
  if (!person) return;
  const token = freshSecret();
  const letter = writeEmail(
    person.email,
    "Choose a new password",
    [
      `Somebody asked to choose a new password for your account. If it was you, do it here within the hour:\n${env().BASE_URL}/reset/${token}`,
      "If it was not you, there is nothing to do: your password stays as it is.",
    ],
    "someone entered your address on the page for forgotten passwords",
  );
  await db().$transaction(async (tx) => {
    const expiresAt = new Date(now.getTime() + LINK_LIVES_MS);
    await tx.passwordReset.create({ data: { hash: hashOf(token), personId: person.id, createdAt: now, expiresAt } });
    await queueEmail(tx, letter, now);
  });
}

/** Whose password a link may replace now, and whether a code of the second factor is asked for; null when it has ended. */
export async function openReset(token: string, now: Date): Promise<{ email: string; secondFactor: boolean } | null> {
  const row = await db().passwordReset.findUnique({
    where: { hash: hashOf(token), expiresAt: { gt: now } },
    include: { person: true },
  });
  return row && { email: row.person.email, secondFactor: asksForCode(row.person) };
}

/** A second factor counts once the address is confirmed: before, a stranger may have set it up. */
const asksForCode = (person: { totpSince: Date | null; confirmedAt: Date | null }): boolean =>
  person.totpSince !== null && person.confirmedAt !== null;

const fields = z.strictObject({
  password: newPassword,
  code: z.string("must be text").max(64, "must have at most 64 characters").optional(),
});

/**
 * Replaces a forgotten password, once. Every session, every other link and every agent ends; where a second factor is set
 * up, the email alone does not suffice. An account whose address was never confirmed is taken over by the reset: its
 * second factor ends too, and the email afterwards lists its sites.
 *
 * @param given what was typed: password, code?
 * @returns the address of the account.
 * @throws Refusal `not_found` for a link that has ended, `invalid_input` naming the field, `rate_limited`.
 */
export async function resetPassword(token: string, given: unknown, address: string, now: Date): Promise<string> {
  await take(`reset:use:${sha256(countedAddress(address))}`, TRIES_PER_ADDRESS, WINDOW_MS, now);
  const { password, code = "" } = parseFields(fields, given);
  const hash = hashOf(token);
  const link = await db().passwordReset.findUnique({
    where: { hash, expiresAt: { gt: now } },
    include: { person: true },
  });
  if (!link) throw linkEnded();
  const { personId, person } = link;
  const passwordHash = await hashPassword(password);
  if (asksForCode(person)) {
    await take(`reset:code:${personId}`, CODES_PER_ACCOUNT, WINDOW_MS, now);
    if (!(await takeSecondFactor(personId, code, now))) {
      throw invalidInput([{ path: "code", message: "is not the code your app shows now; each works only once" }]);
    }
  }
  await db().$transaction(async (tx) => {
    const { count } = await tx.passwordReset.deleteMany({ where: { hash, expiresAt: { gt: now } } });
    if (count === 0) throw linkEnded();
    const notice = person.confirmedAt === null ? await confirmByReset(tx, personId, now) : undefined;
    await setPassword(tx, { personId, passwordHash, requestId: randomUUID(), disconnectAgents: true, notice }, now);
  });
  return person.email;
}

/** Confirms the address of an older account. @returns what its person is emailed. */
async function confirmByReset(tx: Db, personId: number, now: Date): Promise<Notice> {
  await tx.person.update({ where: { id: personId }, data: { confirmedAt: now } });
  await endSecondFactor(tx, personId);
  const sites = await tx.siteDomain.findMany({
    where: { isPrimary: true, site: { memberships: { some: { personId } } } },
    select: { host: true },
    orderBy: { host: "asc" },
  });
  return addressConfirmed(sites.map(({ host }) => host));
}

async function take(key: string, limit: number, windowMs: number, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, limit, windowMs, now);
  if (!allowed)
    throw new Refusal("rate_limited", "That was too often. Wait a while, then try again.", undefined, retryAfter);
}

const linkEnded = () => new Refusal("not_found", "This link has been used or is too old. Ask for a new one.");
