import { randomUUID } from "node:crypto";
import { passwordIsOn } from "@/lib/auth/ways";
import { SCOPES, type Scope } from "@/lib/contract/access";
import { formatUtc, queueEmail, quoteName, type Reader, writeEmail } from "@/lib/email/mailer";
import { emailedName, isOwnDomain } from "@/lib/email/own-domain";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { msg, t } from "@/lib/texts/translate";

/** Security emails to people about their own account. Each is also an entry of the account's log. */

export interface Notice {
  event: AccountEvent;
  /** Is called in the language of the person. */
  write(): {
    subject: string;
    text: string;
    /** What the person can do if that is not to secure the account. */
    help?: string;
  };
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

/** A text of several sentences. */
const together = (...sentences: (string | false)[]): string => sentences.filter(Boolean).join(" ");

export const passwordChanged = (ended: { everyBrowser: boolean; disconnectAgents: boolean }): Notice => ({
  event: "account.password",
  write: () => ({
    subject: t("Your password was changed"),
    text: together(
      ended.everyBrowser
        ? t(
            "Your password was changed, and every browser was signed out. Passkeys were removed, and identities of a provider unlinked.",
          )
        : t("Your password was changed, and every other browser was signed out."),
      ended.disconnectAgents && t("Agents that acted for you were disconnected, and personal tokens revoked."),
    ),
  }),
});
/** For the owner of a mailbox who took over an unconfirmed account. @param hosts the domains of its sites */
export const addressConfirmed = (hosts: readonly string[]): Notice => ({
  event: "account.email_confirmed",
  write: () => ({
    subject: t("Your email address is confirmed"),
    text: together(
      t(
        "You chose a new password by email, which confirms this address. Every browser was signed out, agents were disconnected, passkeys and identities of a provider were removed, and two-factor authentication was turned off.",
      ),
      hosts.length > 0 &&
        t(
          "The account belongs to these sites: {sites}. If someone else created it with your address, leave or delete them before you use it.",
          { sites: hosts.join(", ") },
        ),
    ),
  }),
});
export const secondFactorOn: Notice = {
  event: "account.second_factor_on",
  write: () => ({
    subject: t("Two-factor authentication is on"),
    text: t(
      "Two-factor authentication was turned on for your account: signing in now asks for a code from your app, a passkey or a recovery code. Every other browser was signed out.",
    ),
  }),
};
export const secondFactorOff: Notice = {
  event: "account.second_factor_off",
  write: () => ({
    subject: t("Two-factor authentication is off"),
    text: t(
      "Two-factor authentication was turned off for your account: a password or a provider alone signs you in. Every other browser was signed out.",
    ),
  }),
};
export const accountSecured: Notice = {
  event: "account.secured",
  write: () => ({
    subject: t("Your account was secured"),
    text: t(
      "Every browser was signed out, and agents that acted for you were disconnected. Check the passkeys on your account page.",
    ),
  }),
};
export const appRemoved: Notice = {
  event: "account.app_removed",
  write: () => ({
    subject: t("Your authenticator app was removed"),
    text: t(
      "The authenticator app of your account was removed. Two-factor authentication stays on with your passkeys. Every other browser was signed out.",
    ),
  }),
};
export const passkeyAdded = (name: string, turnedOn: boolean): Notice => ({
  event: "account.passkey_added",
  write: () => ({
    subject: t("A passkey was added to your account"),
    text: together(
      t("The passkey {name} can now sign in to your account.", { name: quoteName(name) }),
      turnedOn &&
        t(
          "It also turned two-factor authentication on: any other way to sign in asks for a passkey or a recovery code as well. Every other browser was signed out.",
        ),
    ),
  }),
});
export const passkeyRemoved = (name: string, turnedOff: boolean): Notice => ({
  event: "account.passkey_removed",
  write: () => ({
    subject: t("A passkey was removed from your account"),
    text: together(
      t("The passkey {name} no longer signs in to your account.", { name: quoteName(name) }),
      turnedOff && t("Two-factor authentication is off now, because it was your only second factor."),
      t("Every other browser was signed out."),
    ),
  }),
});
/** @param provider its name. @param email the address that the provider has verified */
export const providerLinked = (provider: string, email: string): Notice => ({
  event: "account.provider_linked",
  write: () => ({
    subject: t("You can now sign in with {provider}", { provider }),
    text: t(
      "Somebody signed in with {provider} as {email}. Because you confirmed this address here, that identity is now linked to your account, and signs in to it. You can unlink it on your account page.",
      { provider: quoteName(provider), email },
    ),
  }),
});
export const providerUnlinked = (provider: string): Notice => ({
  event: "account.provider_unlinked",
  write: () => ({
    subject: t("{provider} was unlinked from your account", { provider }),
    text: t(
      "The identity at {provider} that signed in to your account was unlinked, and every other browser was signed out. Signing in there with your confirmed address links it again.",
      { provider: quoteName(provider) },
    ),
  }),
});
export const recoveryCodesRenewed: Notice = {
  event: "account.recovery_codes",
  write: () => ({
    subject: t("You have new recovery codes"),
    text: t("New recovery codes were created for your account. The old ones no longer work."),
  }),
};
export const recoveryCodeUsed = (left: number): Notice => ({
  event: "account.recovery_code_used",
  write: () => ({
    subject: t("A recovery code was used"),
    text: t(
      "One of your recovery codes was used to prove that it is you. {left, plural, =0 {That was the last one: create new ones on your account page.} one {# of them is left.} other {# of them are left.}}",
      { left },
    ),
  }),
});

export const addressAsked: Notice = {
  event: "account.email_asked",
  write: () => ({
    subject: t("A new email address was entered for your account"),
    text: t(
      "Somebody who is signed in to your account, and has proven that it is theirs, entered a new email address. It counts once its mailbox has confirmed it. You can withdraw it on your account page.",
    ),
  }),
};
export const addressChanged: Notice = {
  event: "account.email_changed",
  write: () => ({
    subject: t("This is the email address of your account now"),
    text: t(
      "Your account has this email address now: sign in with it. Every other browser was signed out. Your agents and tokens stay.",
    ),
  }),
};
export const addressRestored: Notice = {
  event: "account.email_restored",
  write: () => ({
    subject: t("Your account has this email address again"),
    text: t(
      "You took your account back with the link that was sent to this address, and chose a new password. Every browser was signed out, agents were disconnected, and passkeys and identities of a provider were removed.",
    ),
  }),
};
export const accountDisabled: Notice = {
  event: "account.disabled",
  write: () => ({
    subject: t("Your account was disabled"),
    text: t(
      "An administrator of this service disabled your account. You cannot sign in, and your agents, tokens and ingest keys do not work. Nothing was deleted.",
    ),
    help: t("Ask the administrator of this service to enable it again."),
  }),
};
export const accountEnabled: Notice = {
  event: "account.enabled",
  write: () => ({
    subject: t("Your account is enabled again"),
    text: t(
      "An administrator of this service enabled your account. You can sign in, and your agents, tokens and ingest keys work again.",
    ),
  }),
};
export const madeAdministrator: Notice = {
  event: "account.made_administrator",
  write: () => ({
    subject: t("You now administer this service"),
    text: t(
      "An administrator named you one too. You see all accounts and sites of the service on the admin page, without their analytics data, and can disable them.",
    ),
  }),
};
export const administratorRemoved: Notice = {
  event: "account.administrator_removed",
  write: () => ({
    subject: t("You no longer administer this service"),
    text: t("You are no longer an administrator of this service. Your account and your sites stay as they are."),
    help: t("If this is a mistake, ask an administrator of this service."),
  }),
};

/** What a person does who did not make a change themselves. */
const remedy = (): string =>
  passwordIsOn()
    ? t("If this was not you, set a new password now: {url}", { url: `${env().BASE_URL}/reset` })
    : t("If this was not you, secure your account now: {url}", { url: `${env().BASE_URL}/account` });

/** A line with the time of what happened. */
const on = (now: Date): string => t("This was on {time}.", { time: formatUtc(now) });

/** Returns the email to an address that no longer belongs to an account. @param link takes the account back; null without passwords */
export const formerAddressMayReturn = (
  {
    former,
    email,
    link,
    hours,
    language,
  }: { former: string; email: string; link: string | null; hours: number; language: string | null },
  now: Date,
) =>
  writeEmail({ email: former, language }, () => ({
    subject: t("The email address of your account was changed"),
    paragraphs: [
      `${t("The address of your account was changed from this one to {email}.", { email: quoteName(email) })}\n${on(now)}`,
      link
        ? `${t("If this was not you, take the account back within {hours} hours. The link gives it this address again, signs every browser out and lets you choose a new password:", { hours })}\n${link}`
        : t("If this was not you, ask the administrator of this service to disable the account."),
      t("If it was you, you need not do anything. Delete this email: its link is like a password."),
    ],
    why: t("your account had this address until now"),
  }));

/** Returns the email to an address that a link has taken an account back from. */
export const addressTakenBack = (reader: Reader, now: Date) =>
  writeEmail(reader, () => ({
    subject: t("This address no longer belongs to an account"),
    paragraphs: [
      `${t("Whoever reads the former address of the account took it back with the link that was sent there. The account no longer has this address.")}\n${on(now)}`,
      t("If the account is yours, ask the administrator of this service."),
    ],
    why: t("your account had this address until now"),
  }));

/** Returns the address and the language of a person. */
export const readerOf = (tx: Db, personId: number): Promise<Reader> =>
  tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true, language: true } });

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
  const reader = await readerOf(tx, personId);
  await logAccount(tx, personId, notice.event, now, detail);
  const message = writeEmail(reader, () => {
    const { subject, text, help = remedy() } = notice.write();
    const why = t("account holders are always notified of such changes");
    return { subject, paragraphs: [`${text}\n${on(now)}`, help], why };
  });
  await queueEmail(tx, message, now);
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
  const { sites, kept } = await sitesInWords(tx, consent.siteIds);
  const name = quoteName(consent.clientName);
  const message = writeEmail(await readerOf(tx, consent.personId), () => ({
    subject: t("An agent was connected to your account"),
    paragraphs: [
      `${
        sites
          ? t("You let an agent that calls itself {name} act for you on {sites}.", { name, sites })
          : t("You let an agent that calls itself {name} act for you on none of your sites yet.", { name })
      }\n${on(now)}`,
      scopesInWords(consent.scopes),
      t("See its access and its activity, reduce its access or disconnect it: {url}", {
        url: `${env().BASE_URL}/agents`,
      }),
    ],
    why: t("people are always notified when an agent is connected to their account"),
    kept,
  }));
  await queueEmail(tx, message, now);
}

/** Emails a person that a token was made for their account, in the transaction that makes it. */
export async function emailTokenMade(
  tx: Db,
  token: { personId: number; name: string; scopes: readonly Scope[]; siteIds: readonly number[]; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { sites, kept } = await sitesInWords(tx, token.siteIds);
  const name = quoteName(token.name);
  const message = writeEmail(await readerOf(tx, token.personId), () => {
    const time = formatUtc(token.expiresAt);
    return {
      subject: t("A personal token was made for your account"),
      paragraphs: [
        `${
          sites
            ? t("The token {name} lets a script act for you on {sites}. It expires on {time}.", { name, sites, time })
            : t("The token {name} lets a script act for you on none of your sites yet. It expires on {time}.", {
                name,
                time,
              })
        }\n${t("It was made on {time}.", { time: formatUtc(now) })}`,
        scopesInWords(token.scopes),
        `${remedy()}\n${t("Revoke the token: {url}", { url: `${env().BASE_URL}/account` })}`,
      ],
      why: t("account holders are always notified of new tokens"),
      kept,
    };
  });
  await queueEmail(tx, message, now);
}

/** Returns the sites of an agent or token in words, empty for none. `kept` has the domains that may become links. */
async function sitesInWords(tx: Db, siteIds: readonly number[]): Promise<{ sites: string; kept: string[] }> {
  const sites = await tx.siteDomain.findMany({
    where: { siteId: { in: [...siteIds] }, isPrimary: true },
    select: { host: true, verifiedAt: true, namedByAgent: true },
    orderBy: { host: "asc" },
  });
  return { sites: sites.map(emailedName).join(", "), kept: sites.filter(isOwnDomain).map(emailedName) };
}

/** A paragraph with what an agent or token may do. */
export const scopesInWords = (scopes: readonly Scope[]): string =>
  [t("It may:"), ...scopes.map((scope) => `    ${t(SCOPES[scope])}`)].join("\n");
