import { ROLES, type Role } from "@/lib/contract/access";
import { formatUtc, queueEmail, quoteName, type Reader, writeEmail } from "@/lib/email/mailer";
import { emailedName, isOwnDomain } from "@/lib/email/own-domain";
import { queueThrottled } from "@/lib/email/throttle";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { ownersOf, type Place, teamNameOf } from "@/lib/sites/place";
import { msg, t } from "@/lib/texts/translate";

/** Emails to the members of a site. */

/** Returns the primary domain of a site, by which people know it. */
export const primaryDomainOf = async (tx: Db, siteId: number): Promise<string> =>
  (await primaryNameOf(tx, siteId)).domain;

/** Returns the primary domain, in `domain` as emails write it, and in `kept` the same if it may become a link there. */
export async function primaryNameOf(
  tx: Db,
  siteId: number,
): Promise<{ host: string | null; domain: string; kept: string[] }> {
  const primary = await tx.siteDomain.findFirst({ where: { siteId, isPrimary: true } });
  if (!primary) return { host: null, domain: `site ${siteId}`, kept: [] };
  const domain = emailedName(primary);
  return { host: primary.host, domain, kept: isOwnDomain(primary) ? [domain] : [] };
}

/** What emails say of a place: its name in the current language, the page where it is, and the page of its members. */
export async function placeNameOf(
  tx: Db,
  { siteId, teamId }: Place,
): Promise<{ name: () => string; kept: string[]; url: string; people: string }> {
  if (siteId !== undefined) {
    const { domain, kept } = await primaryNameOf(tx, siteId);
    const url = `${env().BASE_URL}/sites/${siteId}`;
    return { name: () => domain, kept, url, people: `${url}/settings/people` };
  }
  const url = `${env().BASE_URL}/teams/${teamId}`;
  const team = quoteName((await teamNameOf(tx, teamId)) ?? `${teamId}`);
  return { name: () => t("the team {name}", { name: team }), kept: [], url, people: url };
}

/** A role as a word within a sentence. */
const ROLE_WORDS: Record<Role, string> = { viewer: msg("viewer"), manager: msg("manager"), owner: msg("owner") };

const roleInWords = (role: Role): { role: string; about: string } => ({
  role: t(ROLE_WORDS[role]),
  about: t(ROLES[role].about),
});

/**
 * Emails an invitation to join a site or a team, in the language of its reader or, without an account, of who invites.
 *
 * @param link contains the secret of the invitation
 */
export async function sendInvitationEmail(
  tx: Db,
  invitation: { place: Place; email: string; role: Role; by: Reader; link: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { place, email, role, by, link, expiresAt } = invitation;
  const { name: nameOf } = await placeNameOf(tx, place);
  const person = await tx.person.findUnique({ where: { email }, select: { language: true } });
  const message = writeEmail({ email, language: person?.language ?? by.language }, () => {
    const named = { by: by.email, name: nameOf(), ...roleInWords(role) };
    return {
      subject: t("You are invited to view the analytics of {name}", named),
      paragraphs: [
        `${t("{by} invited you to {name} on Footfall, a web analytics service.", named)}\n${
          place.siteId === undefined
            ? t("Your role on all its sites will be {role} ({about}).", named)
            : t("Your role will be {role} ({about}).", named)
        }`,
        `${t("To accept, open this link before {time} and use this email address:", { time: formatUtc(expiresAt) })}\n${link}`,
        t("If you do not know the sender, you can ignore this email. The invitation expires automatically."),
      ],
      why: t("{by} entered your email address", named),
    };
  });
  await queueEmail(tx, message, now);
}

/** Emails a member about their new role; `role` is null if they were removed. */
export async function notifyRoleChange(
  tx: Db,
  change: Place & { personId: number; role: Role | null },
  now: Date,
): Promise<void> {
  const { personId, role } = change;
  const { name: nameOf, kept, url } = await placeNameOf(tx, change);
  const isTeam = change.siteId === undefined;
  const reader = await tx.person.findUniqueOrThrow({
    where: { id: personId },
    select: { email: true, language: true },
  });
  const subject = (name: string) =>
    role
      ? t("Your role on {name} is now {role}", { name, role: roleInWords(role).role })
      : t("You no longer have access to {name}", { name });
  const why = (name: string) =>
    role ? t("you are a member of {name}", { name }) : t("you were a member of {name}", { name });
  const message = writeEmail(reader, () => {
    const name = nameOf();
    const text = role
      ? `${t("An owner of {name} changed your role to {role} ({about}).", { name, ...roleInWords(role) })}\n${url}`
      : isTeam
        ? t(
            "An owner of {name} removed you from the team. You and your agents no longer have access by it to the analytics of its sites.",
            { name },
          )
        : t(
            "An owner of {name} removed you from the site. You and your agents no longer have access to its analytics.",
            { name },
          );
    return { subject: subject(name), paragraphs: [text], why: why(name), kept: role ? kept : [] };
  });
  const caused = {
    email: message,
    language: reader.language,
    key: `${isTeam ? "team" : "site"}-${change.siteId ?? change.teamId}:${personId}`,
    write: () => ({ line: subject(nameOf()), why: why(nameOf()), kept }),
  };
  await queueThrottled(tx, caused, now);
}

/**
 * Emails the owners of a site or a team when someone joined or left it. Changes made by an owner are emailed by the gateway, like
 * all operations of that risk.
 */
export async function notifyMembershipChange(
  tx: Db,
  change: Place & { personId: number; act: { joined: Role } | "left" },
  now: Date,
): Promise<void> {
  const { personId, act } = change;
  const owners = await tx.person.findMany({
    where: { id: { not: personId }, ...ownersOf(change) },
    select: { id: true, email: true, language: true },
  });
  if (owners.length === 0) return;
  const { name: nameOf, kept, people } = await placeNameOf(tx, change);
  const who = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const textIn = (name: string) =>
    act === "left"
      ? t("{who} left {name}.", { who: who.email, name })
      : t("{who} accepted an invitation to {name} as {role} ({about}).", {
          who: who.email,
          name,
          ...roleInWords(act.joined),
        });
  const why = (name: string) => t("you are an owner of {name}", { name });
  for (const { id, ...reader } of owners) {
    const email = writeEmail(reader, () => {
      const name = nameOf();
      return {
        subject: act === "left" ? t("Someone left {name}", { name }) : t("Someone joined {name}", { name }),
        paragraphs: [
          `${textIn(name)}\n${t("Time: {time}.", { time: formatUtc(now) })}`,
          t("If you did not expect this, review the members: {url}", { url: people }),
        ],
        why: why(name),
        kept,
      };
    });
    const write = () => ({ line: textIn(nameOf()), why: why(nameOf()), kept });
    await queueThrottled(tx, { email, language: reader.language, key: `person-${personId}:${id}`, write }, now);
  }
}
