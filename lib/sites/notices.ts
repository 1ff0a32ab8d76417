import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { emailedName, isOwnDomain } from "@/lib/email/own-domain";
import { queueThrottled } from "@/lib/email/throttle";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { ownersOf, type Place, teamNameOf } from "@/lib/sites/place";

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

/** What emails say of a place: its name, the page where it is, and the page of its members. */
export async function placeNameOf(
  tx: Db,
  { siteId, teamId }: Place,
): Promise<{ name: string; kept: string[]; url: string; people: string }> {
  if (siteId !== undefined) {
    const { domain: name, kept } = await primaryNameOf(tx, siteId);
    const url = `${env().BASE_URL}/sites/${siteId}`;
    return { name, kept, url, people: `${url}/settings/people` };
  }
  const url = `${env().BASE_URL}/teams/${teamId}`;
  return { name: `the team ${quoteName((await teamNameOf(tx, teamId)) ?? `${teamId}`)}`, kept: [], url, people: url };
}

/** Emails an invitation to join a site or a team. @param link contains the secret of the invitation */
export async function sendInvitationEmail(
  tx: Db,
  invitation: { place: Place; email: string; role: Role; by: string; link: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { place, email, role, by, link, expiresAt } = invitation;
  const { name } = await placeNameOf(tx, place);
  const as = place.siteId === undefined ? `Your role on all its sites will be ${role}` : `Your role will be ${role}`;
  const message = writeEmail(
    email,
    `You are invited to view the analytics of ${name}`,
    [
      `${by} invited you to ${name} on Footfall, a web analytics service.\n${as} (${ROLES[role].about}).`,
      `To accept, open this link before ${formatUtc(expiresAt)} and use this email address:\n${link}`,
      "If you do not know the sender, you can ignore this email. The invitation expires automatically.",
    ],
    `${by} entered your email address`,
  );
  await queueEmail(tx, message, now);
}

/** Emails a member about their new role; `role` is null if they were removed. */
export async function notifyRoleChange(
  tx: Db,
  change: Place & { personId: number; role: Role | null },
  now: Date,
): Promise<void> {
  const { personId, role } = change;
  const { name, kept, url } = await placeNameOf(tx, change);
  const what = change.siteId === undefined ? "team" : "site";
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const [subject, text] = role
    ? [
        `Your role on ${name} is now ${role}`,
        `An owner of ${name} changed your role to ${role} (${ROLES[role].about}).\n${url}`,
      ]
    : [
        `You no longer have access to ${name}`,
        `An owner of ${name} removed you from the ${what}. You and your agents no longer have access ${what === "team" ? "by it to the analytics of its sites" : "to its analytics"}.`,
      ];
  const why = `you ${role ? "are" : "were"} a member of ${name}`;
  const message = writeEmail(email, subject, [text], why, role ? kept : []);
  await queueThrottled(
    tx,
    { email: message, key: `${what}-${change.siteId ?? change.teamId}:${personId}`, line: subject, why, kept },
    now,
  );
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
    select: { id: true, email: true },
  });
  if (owners.length === 0) return;
  const { name, kept, people } = await placeNameOf(tx, change);
  const who = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const [subject, text] =
    act === "left"
      ? [`Someone left ${name}`, `${who.email} left ${name}.`]
      : [
          `Someone joined ${name}`,
          `${who.email} accepted an invitation to ${name} as ${act.joined} (${ROLES[act.joined].about}).`,
        ];
  const paragraphs = [`${text}\nTime: ${formatUtc(now)}.`, `If you did not expect this, review the members: ${people}`];
  const why = `you are an owner of ${name}`;
  for (const { id, email } of owners) {
    const message = writeEmail(email, subject, paragraphs, why, kept);
    await queueThrottled(tx, { email: message, key: `person-${personId}:${id}`, line: text, why, kept }, now);
  }
}
