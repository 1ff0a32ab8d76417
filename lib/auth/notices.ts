import { passwordIsOn } from "@/lib/auth/ways";
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
    ended.everyBrowser ? " Passkeys were removed, and identities of a provider unlinked." : ""
  }${ended.disconnectAgents ? " Agents that acted for you were disconnected, and personal tokens revoked." : ""}`,
});
/** For the owner of a mailbox who took over an unconfirmed account. @param hosts the domains of its sites */
export const addressConfirmed = (hosts: readonly string[]): Notice => ({
  subject: "Your email address is confirmed",
  text: [
    "You chose a new password by email, which confirms this address. Every browser was signed out, agents were disconnected, passkeys and identities of a provider were removed, and two-factor authentication was turned off.",
    hosts.length > 0
      ? `The account belongs to these sites: ${hosts.join(", ")}. If someone else created it with your address, leave or delete them before you use it.`
      : "",
  ]
    .join(" ")
    .trimEnd(),
});
export const secondFactorOn: Notice = {
  subject: "Two-factor authentication is on",
  text: "Two-factor authentication was turned on for your account: signing in now asks for a code from your app, a passkey or a recovery code. Every other browser was signed out.",
};
export const secondFactorOff: Notice = {
  subject: "Two-factor authentication is off",
  text: "Two-factor authentication was turned off for your account: a password or a provider alone signs you in. Every other browser was signed out.",
};
export const accountSecured: Notice = {
  subject: "Your account was secured",
  text: "Every browser was signed out, and agents that acted for you were disconnected. Check the passkeys on your account page.",
};
export const appRemoved: Notice = {
  subject: "Your authenticator app was removed",
  text: "The authenticator app of your account was removed. Two-factor authentication stays on with your passkeys. Every other browser was signed out.",
};
export const passkeyAdded = (name: string, turnedOn: boolean): Notice => ({
  subject: "A passkey was added to your account",
  text: `The passkey ${quoteName(name)} can now sign in to your account.${
    turnedOn
      ? " It also turned two-factor authentication on: any other way to sign in asks for a passkey or a recovery code as well. Every other browser was signed out."
      : ""
  }`,
});
export const passkeyRemoved = (name: string, turnedOff: boolean): Notice => ({
  subject: "A passkey was removed from your account",
  text: `The passkey ${quoteName(name)} no longer signs in to your account.${
    turnedOff ? " Two-factor authentication is off now, because it was your only second factor." : ""
  } Every other browser was signed out.`,
});
/** @param provider its name. @param email the address that the provider has verified */
export const providerLinked = (provider: string, email: string): Notice => ({
  subject: `You can now sign in with ${provider}`,
  text: `Somebody signed in with ${quoteName(provider)} as ${email}. Because you confirmed this address here, that identity is now linked to your account, and signs in to it. You can unlink it on your account page.`,
});
export const providerUnlinked = (provider: string): Notice => ({
  subject: `${provider} was unlinked from your account`,
  text: `The identity at ${quoteName(provider)} that signed in to your account was unlinked, and every other browser was signed out. Signing in there with your confirmed address links it again.`,
});
export const recoveryCodesRenewed: Notice = {
  subject: "You have new recovery codes",
  text: "New recovery codes were created for your account. The old ones no longer work.",
};
export const recoveryCodeUsed = (left: number): Notice => ({
  subject: "A recovery code was used",
  text: `One of your recovery codes was used to prove that it is you. ${
    left === 0
      ? "That was the last one: create new ones on your account page."
      : `${left} of them ${left === 1 ? "is" : "are"} left.`
  }`,
});

/** What a person does who did not make a change themselves. */
const remedy = (): string =>
  passwordIsOn()
    ? `If this was not you, set a new password now: ${env().BASE_URL}/reset`
    : `If this was not you, secure your account now: ${env().BASE_URL}/account`;

/** Queues an email to a person about their own account, in the transaction of the change. */
export async function emailPerson(tx: Db, personId: number, { subject, text }: Notice, now: Date): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const help = remedy();
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
      `${remedy()}\nRevoke the token: ${env().BASE_URL}/account`,
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
