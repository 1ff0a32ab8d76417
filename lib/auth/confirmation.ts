import { createHmac, timingSafeEqual } from "node:crypto";
import type { Owner, Principal } from "@/lib/contract/define";
import { requirePerson } from "@/lib/contract/define";
import { queueEmail, type Reader, writeEmail } from "@/lib/email/mailer";
import { type Db, db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { requireRate } from "@/lib/platform/rate";
import { derivedKey, derivedKeys } from "@/lib/platform/secrets";
import { t } from "@/lib/texts/translate";

/** Email confirmation of accounts that were created before sign-up verified the address. */

const LINK_HOURS = 48;
const EMAILS_PER_HOUR = 3;

/**
 * Requires a confirmed email address: for invitations, connecting agents, email reports and two-factor authentication.
 *
 * @throws Refusal `role_denied` with instructions to confirm it.
 */
export function requireConfirmed(owner: Pick<Owner, "confirmed">): void {
  if (owner.confirmed) return;
  throw new Refusal(
    "role_denied",
    "Confirm your email address first: on your account page, choose “Send confirmation email”.",
  );
}

/**
 * Returns the person of a call that needs a confirmed address.
 *
 * @throws Refusal like `requireConfirmed`, and for a machine client without a person.
 */
export async function confirmedPerson(on: Db, principal: Principal): Promise<Reader & { id: number }> {
  const where = { id: requirePerson(principal) };
  const { id, email, language, confirmedAt } = await on.person.findUniqueOrThrow({ where });
  requireConfirmed({ confirmed: confirmedAt !== null });
  return { id, email, language };
}

/** Covers the address too, so that the link becomes invalid when the address changes. */
const macOf = (key: Buffer, text: string, email: string): Buffer =>
  createHmac("sha256", key).update(`${text}\n${email}`).digest();

/** Emails a person a confirmation link. @throws Refusal `rate_limited` after three within an hour */
export async function sendConfirmation({ personId, email }: Owner, now: Date): Promise<void> {
  const tooMany = `You requested ${EMAILS_PER_HOUR} emails within an hour. Check your spam folder, or try again later.`;
  await requireRate(`confirm:${personId}`, EMAILS_PER_HOUR, HOUR_MS, now, tooMany);
  const text = `${personId}-${Math.floor(now.getTime() / 1000) + LINK_HOURS * 3600}`;
  const token = `${text}-${macOf(derivedKey("email-confirmation"), text, email).toString("base64url")}`;
  const { language } = await db().person.findUniqueOrThrow({ where: { id: personId }, select: { language: true } });
  const confirmation = writeEmail({ email, language }, () => ({
    subject: t("Confirm your email address"),
    paragraphs: [
      `${t("Open this link within {hours} hours to confirm your email address, in the browser in which you are signed in:", { hours: LINK_HOURS })}\n${env().BASE_URL}/confirm/${token}`,
      `${t("If you did not create an account, someone else did with your address. Choose a new password to take it over:")}\n${env().BASE_URL}/reset`,
    ],
    why: t("an account was created with your address"),
  }));
  await queueEmail(db(), confirmation, now);
}

/**
 * Confirms the address of a signed-in person by the link from the email.
 *
 * @throws Refusal `not_found` for a link that is expired or for another account.
 */
export async function confirmEmail({ personId, email }: Owner, token: string, now: Date): Promise<void> {
  const [, text = "", id, expires, mac = ""] = /^((\d{1,10})-(\d{1,12}))-([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(mac, "base64url");
  const isValid =
    given.length === 32 &&
    derivedKeys("email-confirmation").some((key) => timingSafeEqual(macOf(key, text, email), given));
  if (!isValid || Number(id) !== personId || Number(expires) * 1000 <= now.getTime()) {
    throw new Refusal(
      "not_found",
      "This link has expired or is for another account. Request a new one on your account page.",
    );
  }
  await db().person.updateMany({ where: { id: personId, confirmedAt: null }, data: { confirmedAt: now } });
}
