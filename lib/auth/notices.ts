import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { emailedName, isOwnDomain } from "@/lib/email/own-domain";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";

/** Security emails to people about their own account. */

export interface Notice {
  subject: string;
  text: string;
}

export const passwordChanged = (ended: { everyBrowser: boolean; disconnectAgents: boolean }): Notice => ({
  subject: "Your password was changed",
  text: `Your password was changed, and every ${ended.everyBrowser ? "" : "other "}browser was signed out.${
    ended.disconnectAgents ? " Agents that acted for you were disconnected, and personal tokens revoked." : ""
  }`,
});
/** For the owner of a mailbox who took over an unconfirmed account. @param hosts the domains of its sites */
export const addressConfirmed = (hosts: readonly string[]): Notice => ({
  subject: "Your email address is confirmed",
  text: [
    "You chose a new password by email, which confirms this address. Every browser was signed out, agents were disconnected and two-factor authentication was turned off.",
    hosts.length > 0
      ? `The account belongs to these sites: ${hosts.join(", ")}. If someone else created it with your address, leave or delete them before you use it.`
      : "",
  ]
    .join(" ")
    .trimEnd(),
});
export const secondFactorOn: Notice = {
  subject: "Two-factor authentication is on",
  text: "Two-factor authentication was turned on for your account: signing in now asks for a code from your app. Every other browser was signed out.",
};
export const secondFactorOff: Notice = {
  subject: "Two-factor authentication is off",
  text: "Two-factor authentication was turned off for your account: your password alone signs you in. Every other browser was signed out.",
};
export const recoveryCodesRenewed: Notice = {
  subject: "You have new recovery codes",
  text: "New recovery codes were created for your account. The old ones no longer work.",
};
export const recoveryCodeUsed = (left: number): Notice => ({
  subject: "A recovery code was used",
  text: `One of your recovery codes was used in place of a code from your app. ${
    left === 0
      ? "That was the last one: create new ones on your account page."
      : `${left} of them ${left === 1 ? "is" : "are"} left.`
  }`,
});

/** Queues an email to a person about their own account, in the transaction of the change. */
export async function emailPerson(tx: Db, personId: number, { subject, text }: Notice, now: Date): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const help = `If this was not you, set a new password now: ${env().BASE_URL}/reset`;
  const why = "account holders are always notified of such changes";
  await queueEmail(tx, writeEmail(email, subject, [`${text}\nThis was on ${formatUtc(now)}.`, help], why), now);
}

/** Emails a person that an agent now acts for them, in the transaction of their consent. */
export async function emailConsentGiven(
  tx: Db,
  consent: { personId: number; clientName: string; scopes: readonly Scope[]; siteIds: readonly number[] },
  now: Date,
): Promise<void> {
  const { where, may, kept } = await accessInWords(tx, consent);
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: consent.personId }, select: { email: true } });
  const message = writeEmail(
    email,
    "An agent was connected to your account",
    [
      `You let an agent that calls itself ${quoteName(consent.clientName)} act for you ${where}.\nThis was on ${formatUtc(now)}.`,
      may,
      `See its access and its activity, reduce its access or disconnect it: ${env().BASE_URL}/agents`,
    ],
    "people are always notified when an agent is connected to their account",
    kept,
  );
  await queueEmail(tx, message, now);
}

/** Emails a person that a token was made for their account, in the transaction that makes it. */
export async function emailTokenMade(
  tx: Db,
  token: { personId: number; name: string; scopes: readonly Scope[]; siteIds: readonly number[]; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { where, may, kept } = await accessInWords(tx, token);
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: token.personId }, select: { email: true } });
  const message = writeEmail(
    email,
    "A personal token was made for your account",
    [
      `The token ${quoteName(token.name)} lets a script act for you ${where}. It expires on ${formatUtc(token.expiresAt)}.\nIt was made on ${formatUtc(now)}.`,
      may,
      `If this was not you, set a new password now: ${env().BASE_URL}/reset\nand revoke the token: ${env().BASE_URL}/account`,
    ],
    "account holders are always notified of new tokens",
    kept,
  );
  await queueEmail(tx, message, now);
}

/** The sites and scopes of an agent or token in words. `kept` has the domains that may become links, as for `writeEmail`. */
async function accessInWords(
  tx: Db,
  { scopes, siteIds }: { scopes: readonly Scope[]; siteIds: readonly number[] },
): Promise<{ where: string; may: string; kept: string[] }> {
  const sites = await tx.siteDomain.findMany({
    where: { siteId: { in: [...siteIds] }, isPrimary: true },
    select: { host: true, verifiedAt: true, namedByAgent: true },
    orderBy: { host: "asc" },
  });
  return {
    where: sites.length > 0 ? `on ${sites.map(emailedName).join(", ")}` : "on none of your sites yet",
    may: `It may:\n${scopes.map((scope) => `    ${SCOPES[scope]}`).join("\n")}`,
    kept: sites.filter(isOwnDomain).map(emailedName),
  };
}
