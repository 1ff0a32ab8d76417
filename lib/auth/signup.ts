import { lockSignupsShared } from "@/lib/auth/administrators";
import { insertPerson } from "@/lib/auth/create-person";
import { ownPath } from "@/lib/auth/next-path";
import { hashPassword } from "@/lib/auth/password";
import { needsSetup } from "@/lib/auth/setup";
import { requirePasswordSignIn } from "@/lib/auth/ways";
import { type Email, queueEmail, writeEmail } from "@/lib/email/mailer";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { requireRate, takeRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** Failed email deliveries are retried for 24 hours, so links are valid for one day more. */
const LINK_HOURS = 48;
const SIGNUPS_PER_ADDRESS_AND_HOUR = 20;
const EMAILS_PER_ACCOUNT_AND_HOUR = 3;

/** Who can create an account now: the first person, anyone, or invited people only. */
export async function readSignup(): Promise<"first" | "open" | "closed"> {
  if (await needsSetup()) return "first";
  return env().SIGNUP === "open" ? "open" : "closed";
}

/** Whether people without an invitation can create an account now. */
export const signupIsOpen = async (): Promise<boolean> => (await readSignup()) !== "closed";

/** Whether a normalised address has an account. Reveal this only to the owner of the mailbox. */
export const hasAccount = async (email: string): Promise<boolean> =>
  (await db().person.count({ where: { email } })) > 0;

/**
 * Emails the link that completes a sign-up. An address with an account gets an email that says so; response, timing and
 * writes are the same for both. Several pending requests for one address can exist at the same time.
 *
 * @param email the normalised address
 * @param next where to go afterwards, validated by `ownPath`.
 * @param address the browser's IP address: 20 requests an hour. An email address gets at most 3 emails an hour.
 * @throws Refusal `role_denied` when sign-up is closed, `rate_limited`.
 */
export async function requestSignup(email: string, next: unknown, address: string, now: Date): Promise<void> {
  await requireOpen(db());
  const key = `signup:address:${hexDigest(countedAddress(address))}`;
  const tooMany = "Too many sign-ups from your network. Try again later.";
  await requireRate(key, SIGNUPS_PER_ADDRESS_AND_HOUR, HOUR_MS, now, tooMany);
  if (!(await takeRate(`signup:account:${hexDigest(email)}`, EMAILS_PER_ACCOUNT_AND_HOUR, HOUR_MS, now)).allowed)
    return;
  const token = freshSecret();
  const emailed = (await hasAccount(email)) ? accountExists(email) : confirmation(email, token);
  const expiresAt = new Date(now.getTime() + LINK_HOURS * HOUR_MS);
  await db().$transaction(async (tx) => {
    // Also for an address with an account, for equal timing; that token is never sent.
    await tx.pendingSignup.create({
      data: { hash: hashOf(token), email, next: ownPath(next), createdAt: now, expiresAt },
    });
    await queueEmail(tx, emailed, now);
  });
}

const REASON = msg("someone entered your address to create an account");

const confirmation = (email: string, token: string): Email =>
  writeEmail({ email, language: null }, () => ({
    subject: t("Confirm your email address"),
    paragraphs: [
      `${t("Open this link to confirm your address, choose a password and create your account. It works once, for {hours} hours:", { hours: LINK_HOURS })}\n${env().BASE_URL}/signup/${token}`,
      t("If you did not request an account, ignore this email: none is created."),
    ],
    why: t(REASON),
  }));

const accountExists = (email: string): Email =>
  writeEmail({ email, language: null }, () => ({
    subject: t("You already have an account"),
    paragraphs: [
      `${t("This address already has an account. Sign in:")}\n${env().BASE_URL}/login`,
      `${t("If you do not know its password, or did not create it yourself, choose a new one:")}\n${env().BASE_URL}/reset`,
      t("If you did not request an account, ignore this email."),
    ],
    why: t(REASON),
  }));

/** Returns the address of a sign-up link; null when the link was used or has expired. */
export async function openSignup(token: string, now: Date): Promise<{ email: string } | null> {
  return db().pendingSignup.findUnique({
    where: { hash: hashOf(token), expiresAt: { gt: now } },
    select: { email: true },
  });
}

/**
 * Creates the account of a sign-up link, once. The password is chosen here, not with the request, because the requester
 * may not own the mailbox.
 *
 * @param password a valid new one
 * @returns the confirmed address, and the path to go to.
 * @throws Refusal `not_found` for a link that was used or has expired, `invalid_input` at `email` when the address has
 *   an account by now, `role_denied` when sign-up is closed.
 */
export async function completeSignup(
  token: string,
  password: string,
  now: Date,
): Promise<{ email: string; next: string }> {
  const opened = await openSignup(token, now);
  if (!opened) throw linkExpired();
  const passwordHash = await hashPassword(password);
  return db().$transaction(async (tx) => {
    await lockSignupsShared(tx);
    await requireOpen(tx);
    // Locks all links of the address in one order, to avoid a deadlock between two that are used at the same time.
    await tx.$executeRaw`SELECT 1 FROM pending_signup WHERE email = ${opened.email} ORDER BY hash FOR UPDATE`;
    const [signup] = await tx.$queryRaw<{ email: string; next: string }[]>`
      DELETE FROM pending_signup WHERE hash = ${hashOf(token)} AND expires_at > ${now} RETURNING email, next`;
    if (!signup) throw linkExpired();
    const { email } = signup;
    await insertPerson(tx, { email, passwordHash, language: currentLanguage() }, now);
    await tx.pendingSignup.deleteMany({ where: { email } });
    return signup;
  });
}

/** The first account needs the setup token, not a link. */
async function requireOpen(on: Db): Promise<void> {
  requirePasswordSignIn();
  if (await needsSetup(on)) {
    throw new Refusal("role_denied", "The first account is created on the sign-up page. Reload it.");
  }
  if (env().SIGNUP !== "open") {
    throw new Refusal("role_denied", "Sign-up is closed. Ask the administrator of this service for an invitation.");
  }
}

const linkExpired = () =>
  new Refusal("not_found", "This link has been used or has expired. Sign up again for a new one.");
