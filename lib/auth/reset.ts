import { createHash } from "node:crypto";
import { z } from "zod";
import { putPassword } from "@/lib/auth/change-password";
import { emailAddress } from "@/lib/auth/email";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { takeSecondFactor } from "@/lib/auth/second-factor";
import { accountKeyOf } from "@/lib/auth/sign-in";
import { invalidInput, Refusal } from "@/lib/contract/errors";
import { issuesOf } from "@/lib/contract/fields";
import { countedAddress } from "@/lib/counted-address";
import { db } from "@/lib/db";
import { env } from "@/lib/env";
import { clearRate, takeRate } from "@/lib/gateway/rate";
import { queueMail, writeLetter } from "@/lib/mail";
import { digest, freshSecret } from "@/lib/secrets";

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
export async function askReset(typed: unknown, address: string, now: Date): Promise<string | null> {
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
  const letter = writeLetter(
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
    await queueMail(tx, letter, now);
  });
}

/** Whose password a link may replace now, and whether a code of the second factor is asked for; null when it has ended. */
export async function openReset(token: string, now: Date): Promise<{ email: string; secondFactor: boolean } | null> {
  const row = await db().passwordReset.findUnique({
    where: { hash: hashOf(token), expiresAt: { gt: now } },
    include: { person: true },
  });
  return row && { email: row.person.email, secondFactor: row.person.totpSince !== null };
}

const fields = z.strictObject({
  password: newPassword,
  code: z.string("must be text").max(64, "must have at most 64 characters").optional(),
});

/**
 * Replaces a forgotten password, once. Every session and every other link ends; where a second factor is set up, the
 * letter alone does not suffice.
 *
 * @param given what was typed: password, code?
 * @throws Refusal `not_found` for a link that has ended, `invalid_input` naming the field, `rate_limited`.
 */
export async function resetPassword(token: string, given: unknown, address: string, now: Date): Promise<void> {
  await take(`reset:use:${sha256(countedAddress(address))}`, TRIES_PER_ADDRESS, WINDOW_MS, now);
  const read = fields.safeParse(given);
  if (!read.success) throw invalidInput(issuesOf(read.error));
  const hash = hashOf(token);
  const link = await db().passwordReset.findUnique({
    where: { hash, expiresAt: { gt: now } },
    include: { person: true },
  });
  if (!link) throw linkEnded();
  const passwordHash = await hashPassword(read.data.password);
  if (link.person.totpSince) {
    await take(`reset:code:${link.personId}`, CODES_PER_ACCOUNT, WINDOW_MS, now);
    if (!(await takeSecondFactor(link.personId, read.data.code ?? "", now))) {
      throw invalidInput([{ path: "code", message: "is not the code your app shows now; each works only once" }]);
    }
  }
  await db().$transaction(async (tx) => {
    const { count } = await tx.passwordReset.deleteMany({ where: { hash, expiresAt: { gt: now } } });
    if (count === 0) throw linkEnded();
    await putPassword(tx, link.personId, passwordHash, now);
  });
  // Who forgot a password has tried a few: the new one is not made to wait for them.
  await clearRate(accountKeyOf(link.person.email));
}

async function take(key: string, limit: number, windowMs: number, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, limit, windowMs, now);
  if (!allowed)
    throw new Refusal("rate_limited", "That was too often. Wait a while, then try again.", undefined, retryAfter);
}

const linkEnded = () => new Refusal("not_found", "This link has been used or is too old. Ask for a new one.");
