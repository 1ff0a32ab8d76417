import { createHash } from "node:crypto";
import { z } from "zod";
import { insertPerson, parseFields } from "@/lib/auth/create-person";
import { emailAddress } from "@/lib/auth/email";
import { lockSignupsShared } from "@/lib/auth/first-account";
import { ownPath } from "@/lib/auth/next-path";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { needsSetup } from "@/lib/auth/setup";
import { type Email, queueEmail, writeEmail } from "@/lib/email/mailer";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { takeRate } from "@/lib/platform/rate";
import { digest, freshSecret } from "@/lib/platform/secrets";

const HOUR_MS = 3_600_000;
/** Failed deliveries are repeated for 24 hours: a link lives a day longer. */
const LINK_HOURS = 48;
const SIGNUPS_PER_ADDRESS_AND_HOUR = 20;
const EMAILS_PER_ACCOUNT_AND_HOUR = 3;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hashOf = (token: string) => new Uint8Array(digest(token));

/** Who may make an account now: the first person, anyone, or only invited people. */
export async function readSignup(): Promise<"first" | "open" | "closed"> {
  if (await needsSetup()) return "first";
  return env().SIGNUP === "open" ? "open" : "closed";
}

/** Whether someone without an account or an invitation can make an account now. */
export const signupIsOpen = async (): Promise<boolean> => (await readSignup()) !== "closed";

/** Whether an address has an account. Show it only to the holder of the mailbox. `email` is normalised. */
export const hasAccount = async (email: string): Promise<boolean> =>
  (await db().person.count({ where: { email } })) > 0;

const requestFields = z.strictObject({ email: emailAddress });

/**
 * Sends the link that finishes a sign-up. An address with an account gets an email that says so instead; the answer, its
 * time and what is written are the same for both. Requests for the same address do not end each other: none of them is
 * an account before its link is opened.
 *
 * @param given what was typed: email
 * @param next where to go afterwards, as `ownPath` takes it.
 * @param address the IP address of the browser: 20 requests an hour. An email address gets 3 emails an hour at most.
 * @throws Refusal `invalid_input` at `email`, `role_denied` when sign-up is not open, `rate_limited`.
 */
export async function requestSignup(given: unknown, next: unknown, address: string, now: Date): Promise<void> {
  const { email } = parseFields(requestFields, given);
  await requireOpen(db());
  const key = `signup:address:${sha256(countedAddress(address))}`;
  const { allowed, retryAfter } = await takeRate(key, SIGNUPS_PER_ADDRESS_AND_HOUR, HOUR_MS, now);
  if (!allowed) {
    throw new Refusal("rate_limited", "Too many sign-ups from your network. Try again later.", undefined, retryAfter);
  }
  if (!(await takeRate(`signup:account:${sha256(email)}`, EMAILS_PER_ACCOUNT_AND_HOUR, HOUR_MS, now)).allowed) return;
  const token = freshSecret();
  const emailed = (await hasAccount(email)) ? accountExists(email) : confirmation(email, token);
  const expiresAt = new Date(now.getTime() + LINK_HOURS * HOUR_MS);
  await db().$transaction(async (tx) => {
    // Also for an address with an account, so that both take the same time; that token is never sent.
    await tx.pendingSignup.create({
      data: { hash: hashOf(token), email, next: ownPath(next), createdAt: now, expiresAt },
    });
    await queueEmail(tx, emailed, now);
  });
}

const REASON = "someone entered your address to create an account";

const confirmation = (email: string, token: string): Email =>
  writeEmail(
    email,
    "Confirm your email address",
    [
      `Open this link to confirm your address, choose a password and create your account. It works once, for ${LINK_HOURS} hours:\n${env().BASE_URL}/signup/${token}`,
      "If you did not ask for an account, ignore this email: none is created.",
    ],
    REASON,
  );

const accountExists = (email: string): Email =>
  writeEmail(
    email,
    "You already have an account",
    [
      `This address has an account already. Sign in:\n${env().BASE_URL}/login`,
      `If you do not know its password, or did not create it yourself, choose a new one:\n${env().BASE_URL}/reset`,
      "If you did not ask for an account, ignore this email.",
    ],
    REASON,
  );

/** The address that a sign-up link confirms; null when it was used or is too old. */
export async function openSignup(token: string, now: Date): Promise<{ email: string } | null> {
  return db().pendingSignup.findUnique({
    where: { hash: hashOf(token), expiresAt: { gt: now } },
    select: { email: true },
  });
}

const completionFields = z.strictObject({ password: newPassword });

/**
 * Makes the account of a sign-up link, once. The password is chosen here and not when the link was requested: the
 * requester need not be the person who reads the mailbox.
 *
 * @param given what was typed: password
 * @returns the confirmed address, and the path to go to.
 * @throws Refusal `not_found` for a link that was used or is too old, `invalid_input` naming the field or at `email` when
 *   the address has an account by now, `role_denied` when sign-up is not open any more.
 */
export async function completeSignup(
  token: string,
  given: unknown,
  now: Date,
): Promise<{ email: string; next: string }> {
  const opened = await openSignup(token, now);
  if (!opened) throw linkEnded();
  const passwordHash = await hashPassword(parseFields(completionFields, given).password);
  return db().$transaction(async (tx) => {
    await lockSignupsShared(tx);
    await requireOpen(tx);
    // Two links for one address would wait for each other: each deletes its own first and all of the address at the end.
    await tx.$executeRaw`SELECT 1 FROM pending_signup WHERE email = ${opened.email} ORDER BY hash FOR UPDATE`;
    const [signup] = await tx.$queryRaw<{ email: string; next: string }[]>`
      DELETE FROM pending_signup WHERE hash = ${hashOf(token)} AND expires_at > ${now} RETURNING email, next`;
    if (!signup) throw linkEnded();
    const { email } = signup;
    await insertPerson(tx, { email, passwordHash }, now);
    await tx.pendingSignup.deleteMany({ where: { email } });
    return signup;
  });
}

/** The first account is never made through a link: it takes the setup token. */
async function requireOpen(on: Db): Promise<void> {
  if (await needsSetup(on)) {
    throw new Refusal("role_denied", "The first account is made on the page for signing up. Reload it.");
  }
  if (env().SIGNUP !== "open") {
    throw new Refusal("role_denied", "New accounts are closed here. Ask the person who runs this service.");
  }
}

const linkEnded = () => new Refusal("not_found", "This link has been used or is too old. Sign up again for a new one.");
