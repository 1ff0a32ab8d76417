import { randomUUID } from "node:crypto";
import { passwordIsOn } from "@/lib/auth/ways";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { emailedName, isOwnDomain } from "@/lib/email/own-domain";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { msg } from "@/lib/texts/translate";

/** Security emails to people about their own account. Each is also an entry of the account's log. */

export interface Notice {
  event: AccountEvent;
  subject: string;
  text: string;
  /** What the person can do if that is not to secure the account. */
  help?: string;
}

/** What happens to accounts, as their logs say it. */
export const ACCOUNT_EVENTS = {
  "account.password": msg("Password changed"),
  "account.email_confirmed": msg("Email address confirmed by choosing a new password"),
  "account.email_asked": msg("New email address asked for"),
  "account.email_changed": msg("Email address changed"),
  "account.email_restored": msg("Former email address restored"),
  "account.renamed": msg("Name changed"),
  "account.second_factor_on": msg("Two-factor authentication turned on"),
  "account.second_factor_off": msg("Two-factor authentication turned off"),
  "account.secured": msg("Account secured"),
  "account.app_removed": msg("Authenticator app removed"),
  "account.passkey_added": msg("Passkey added"),
  "account.passkey_removed": msg("Passkey removed"),
  "account.provider_linked": msg("Identity of a provider linked"),
  "account.provider_unlinked": msg("Identity of a provider unlinked"),
  "account.recovery_codes": msg("Recovery codes renewed"),
  "account.recovery_code_used": msg("Recovery code used"),
  "account.disabled": msg("Account disabled by an administrator"),
  "account.enabled": msg("Account enabled by an administrator"),
  "account.made_administrator": msg("Made an administrator of the service"),
  "account.administrator_removed": msg("No longer an administrator of the service"),
} as const;
export type AccountEvent = keyof typeof ACCOUNT_EVENTS;

export const passwordChanged = (ended: { everyBrowser: boolean; disconnectAgents: boolean }): Notice => ({
  event: "account.password",
  subject: "Your password was changed",
  text: `Your password was changed, and every ${ended.everyBrowser ? "" : "other "}browser was signed out.${
    ended.everyBrowser ? " Passkeys were removed, and identities of a provider unlinked." : ""
  }${ended.disconnectAgents ? " Agents that acted for you were disconnected, and personal tokens revoked." : ""}`,
});
/** For the owner of a mailbox who took over an unconfirmed account. @param hosts the domains of its sites */
export const addressConfirmed = (hosts: readonly string[]): Notice => ({
  event: "account.email_confirmed",
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
  event: "account.second_factor_on",
  subject: "Two-factor authentication is on",
  text: "Two-factor authentication was turned on for your account: signing in now asks for a code from your app, a passkey or a recovery code. Every other browser was signed out.",
};
export const secondFactorOff: Notice = {
  event: "account.second_factor_off",
  subject: "Two-factor authentication is off",
  text: "Two-factor authentication was turned off for your account: a password or a provider alone signs you in. Every other browser was signed out.",
};
export const accountSecured: Notice = {
  event: "account.secured",
  subject: "Your account was secured",
  text: "Every browser was signed out, and agents that acted for you were disconnected. Check the passkeys on your account page.",
};
export const appRemoved: Notice = {
  event: "account.app_removed",
  subject: "Your authenticator app was removed",
  text: "The authenticator app of your account was removed. Two-factor authentication stays on with your passkeys. Every other browser was signed out.",
};
export const passkeyAdded = (name: string, turnedOn: boolean): Notice => ({
  event: "account.passkey_added",
  subject: "A passkey was added to your account",
  text: `The passkey ${quoteName(name)} can now sign in to your account.${
    turnedOn
      ? " It also turned two-factor authentication on: any other way to sign in asks for a passkey or a recovery code as well. Every other browser was signed out."
      : ""
  }`,
});
export const passkeyRemoved = (name: string, turnedOff: boolean): Notice => ({
  event: "account.passkey_removed",
  subject: "A passkey was removed from your account",
  text: `The passkey ${quoteName(name)} no longer signs in to your account.${
    turnedOff ? " Two-factor authentication is off now, because it was your only second factor." : ""
  } Every other browser was signed out.`,
});
/** @param provider its name. @param email the address that the provider has verified */
export const providerLinked = (provider: string, email: string): Notice => ({
  event: "account.provider_linked",
  subject: `You can now sign in with ${provider}`,
  text: `Somebody signed in with ${quoteName(provider)} as ${email}. Because you confirmed this address here, that identity is now linked to your account, and signs in to it. You can unlink it on your account page.`,
});
export const providerUnlinked = (provider: string): Notice => ({
  event: "account.provider_unlinked",
  subject: `${provider} was unlinked from your account`,
  text: `The identity at ${quoteName(provider)} that signed in to your account was unlinked, and every other browser was signed out. Signing in there with your confirmed address links it again.`,
});
export const recoveryCodesRenewed: Notice = {
  event: "account.recovery_codes",
  subject: "You have new recovery codes",
  text: "New recovery codes were created for your account. The old ones no longer work.",
};
export const recoveryCodeUsed = (left: number): Notice => ({
  event: "account.recovery_code_used",
  subject: "A recovery code was used",
  text: `One of your recovery codes was used to prove that it is you. ${
    left === 0
      ? "That was the last one: create new ones on your account page."
      : `${left} of them ${left === 1 ? "is" : "are"} left.`
  }`,
});

export const addressAsked: Notice = {
  event: "account.email_asked",
  subject: "A new email address was entered for your account",
  text: "Somebody who is signed in to your account, and has proven that it is theirs, entered a new email address. It counts once its mailbox has confirmed it. You can withdraw it on your account page.",
};
export const addressChanged: Notice = {
  event: "account.email_changed",
  subject: "This is the email address of your account now",
  text: "Your account has this email address now: sign in with it. Every other browser was signed out. Your agents and tokens stay.",
};
export const addressRestored: Notice = {
  event: "account.email_restored",
  subject: "Your account has this email address again",
  text: "You took your account back with the link that was sent to this address, and chose a new password. Every browser was signed out, agents were disconnected, and passkeys and identities of a provider were removed.",
};
export const accountDisabled: Notice = {
  event: "account.disabled",
  subject: "Your account was disabled",
  text: "An administrator of this service disabled your account. You cannot sign in, and your agents, tokens and ingest keys do not work. Nothing was deleted.",
  help: "Ask the administrator of this service to enable it again.",
};
export const accountEnabled: Notice = {
  event: "account.enabled",
  subject: "Your account is enabled again",
  text: "An administrator of this service enabled your account. You can sign in, and your agents, tokens and ingest keys work again.",
};
export const madeAdministrator: Notice = {
  event: "account.made_administrator",
  subject: "You now administer this service",
  text: "An administrator named you one too. You see all accounts and sites of the service on the admin page, without their analytics data, and can disable them.",
};
export const administratorRemoved: Notice = {
  event: "account.administrator_removed",
  subject: "You no longer administer this service",
  text: "You are no longer an administrator of this service. Your account and your sites stay as they are.",
  help: "If this is a mistake, ask an administrator of this service.",
};

/** What a person does who did not make a change themselves. */
const remedy = (): string =>
  passwordIsOn()
    ? `If this was not you, set a new password now: ${env().BASE_URL}/reset`
    : `If this was not you, secure your account now: ${env().BASE_URL}/account`;

/** Returns the email to an address that no longer belongs to an account. @param link takes the account back; null without passwords */
export const formerAddressMayReturn = (
  { former, email, link, hours }: { former: string; email: string; link: string | null; hours: number },
  now: Date,
) =>
  writeEmail(
    former,
    "The email address of your account was changed",
    [
      `The address of your account was changed from this one to ${quoteName(email)}.
This was on ${formatUtc(now)}.`,
      link
        ? `If this was not you, take the account back within ${hours} hours. The link gives it this address again, signs every browser out and lets you choose a new password:
${link}`
        : "If this was not you, ask the administrator of this service to disable the account.",
      "If it was you, you need not do anything. Delete this email: its link is like a password.",
    ],
    "your account had this address until now",
  );

/** Returns the email to an address that a link has taken an account back from. */
export const addressTakenBack = (email: string, now: Date) =>
  writeEmail(
    email,
    "This address no longer belongs to an account",
    [
      `Whoever reads the former address of the account took it back with the link that was sent there. The account no longer has this address.
This was on ${formatUtc(now)}.`,
      "If the account is yours, ask the administrator of this service.",
    ],
    "your account had this address until now",
  );

/**
 * Queues an email to a person about their own account and writes it to their log, in the transaction of the change.
 *
 * @param detail what the log says more of it
 */
export async function emailPerson(
  tx: Db,
  personId: number,
  notice: Notice,
  now: Date,
  detail: Record<string, boolean> = {},
): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  await logAccount(tx, personId, notice.event, now, detail);
  const { subject, text, help = remedy() } = notice;
  const why = "account holders are always notified of such changes";
  await queueEmail(tx, writeEmail(email, subject, [`${text}\nThis was on ${formatUtc(now)}.`, help], why), now);
}

/** Writes to the log of a person, in the transaction of the change. It names no address, because logs outlive accounts. */
export const logAccount = (
  tx: Db,
  personId: number,
  event: AccountEvent,
  now: Date,
  detail: Record<string, boolean> = {},
): Promise<void> => writeAudit(tx, { at: now, personId, operation: event, requestId: randomUUID(), detail });

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
