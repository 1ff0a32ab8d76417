import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { emailedName, isOwnDomain } from "@/lib/email/own-domain";
import { queueThrottled } from "@/lib/email/throttle";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";

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

/** Emails an invitation to join a site. @param link contains the secret of the invitation */
export async function sendInvitationEmail(
  tx: Db,
  invitation: { siteId: number; email: string; role: Role; by: string; link: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { siteId, email, role, by, link, expiresAt } = invitation;
  const domain = await primaryDomainOf(tx, siteId);
  const message = writeEmail(
    email,
    `You are invited to view the analytics of ${domain}`,
    [
      `${by} invited you to ${domain} on Footfall, a web analytics service.\nYour role will be ${role} (${ROLES[role].about}).`,
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
  change: { siteId: number; personId: number; role: Role | null },
  now: Date,
): Promise<void> {
  const { siteId, personId, role } = change;
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const [subject, text] = role
    ? [
        `Your role on ${domain} is now ${role}`,
        `An owner of ${domain} changed your role to ${role} (${ROLES[role].about}).\n${env().BASE_URL}/sites/${siteId}`,
      ]
    : [
        `You no longer have access to ${domain}`,
        `An owner of ${domain} removed you from the site. You and your agents no longer have access to its analytics.`,
      ];
  const why = `you ${role ? "are" : "were"} a member of ${domain}`;
  const message = writeEmail(email, subject, [text], why, role ? kept : []);
  await queueThrottled(tx, { email: message, key: `site-${siteId}:${personId}`, line: subject, why, kept }, now);
}

/**
 * Emails the owners of a site when someone joined or left it. Changes made by an owner are emailed by the gateway, like
 * all operations of that risk.
 */
export async function notifyMembershipChange(
  tx: Db,
  change: { siteId: number; personId: number; act: { joined: Role } | "left" },
  now: Date,
): Promise<void> {
  const { siteId, personId, act } = change;
  const owners = await tx.person.findMany({
    where: { id: { not: personId }, memberships: { some: { siteId, role: "owner" } } },
    select: { id: true, email: true },
  });
  if (owners.length === 0) return;
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const who = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const [subject, text] =
    act === "left"
      ? [`Someone left ${domain}`, `${who.email} left ${domain}.`]
      : [
          `Someone joined ${domain}`,
          `${who.email} accepted an invitation to ${domain} as ${act.joined} (${ROLES[act.joined].about}).`,
        ];
  const paragraphs = [
    `${text}\nTime: ${formatUtc(now)}.`,
    `If you did not expect this, review the members of the site: ${env().BASE_URL}/sites/${siteId}/settings/people`,
  ];
  const why = `you are an owner of ${domain}`;
  for (const { id, email } of owners) {
    const message = writeEmail(email, subject, paragraphs, why, kept);
    await queueThrottled(tx, { email: message, key: `person-${personId}:${id}`, line: text, why, kept }, now);
  }
}
