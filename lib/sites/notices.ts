import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";

/** What people are told about the sites they belong to by letter. */

/** The name that people know a site by: its primary domain. */
export const primaryDomainOf = async (tx: Db, siteId: number): Promise<string> =>
  (await primaryNameOf(tx, siteId)).domain;

/** The same, and what of it an email to members may leave as it is: a domain that the site has verified. */
export async function primaryNameOf(tx: Db, siteId: number): Promise<{ domain: string; kept: string[] }> {
  const primary = await tx.siteDomain.findFirst({ where: { siteId, isPrimary: true } });
  if (!primary) return { domain: `site ${siteId}`, kept: [] };
  return { domain: primary.host, kept: primary.verifiedAt ? [primary.host] : [] };
}

/** Asks someone to join a site. `secret` is in this letter and nowhere else. */
export async function inviteByMail(
  tx: Db,
  invitation: { siteId: number; email: string; role: Role; by: string; secret: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { siteId, email, role, by, secret, expiresAt } = invitation;
  const domain = await primaryDomainOf(tx, siteId);
  const letter = writeEmail(
    email,
    `You are invited to the numbers of ${domain}`,
    [
      `${by} invites you to ${domain} on Footfall, which counts its visitors.\nYour role would be ${role}, who ${ROLES[role].about}.`,
      `Accept before ${formatUtc(expiresAt)}, with this e-mail address:\n${env().BASE_URL}/invite/${secret}`,
      "If you do not know who this is, there is nothing to do: the invitation ends by itself.",
    ],
    `${by} entered your address`,
  );
  await queueEmail(tx, letter, now);
}

/** Tells a member that their role on a site is another now; null when they no longer belong to it. */
export async function noticeOfRole(
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
        `An owner of ${domain} made you its ${role}, who ${ROLES[role].about}.\n${env().BASE_URL}/sites/${siteId}`,
      ]
    : [
        `You no longer belong to ${domain}`,
        `An owner of ${domain} removed you from it. You and the agents that act for you no longer see its numbers.`,
      ];
  const why = `you belong${role ? "" : "ed"} to ${domain}`;
  await queueEmail(tx, writeEmail(email, subject, [text], why, role ? kept : []), now);
}

/**
 * Emails the owners of a site that somebody joined or left it; the person knows. What an owner does about members is
 * emailed as every operation of its risk is.
 */
export async function noticeOfPeople(
  tx: Db,
  change: { siteId: number; personId: number; act: { joined: Role } | "left" },
  now: Date,
): Promise<void> {
  const { siteId, personId, act } = change;
  const owners = await tx.person.findMany({
    where: { id: { not: personId }, memberships: { some: { siteId, role: "owner" } } },
    select: { email: true },
  });
  if (owners.length === 0) return;
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const who = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const [subject, text] =
    act === "left"
      ? [`Someone left ${domain}`, `${who.email} no longer belongs to ${domain}.`]
      : [
          `Someone joined ${domain}`,
          `${who.email} accepted an invitation to ${domain} as its ${act.joined}, who ${ROLES[act.joined].about}.`,
        ];
  const paragraphs = [
    `${text}\nThis was on ${formatUtc(now)}.`,
    `If you did not expect this, see who belongs to the site: ${env().BASE_URL}/sites/${siteId}/settings/people`,
  ];
  for (const { email } of owners) {
    await queueEmail(tx, writeEmail(email, subject, paragraphs, `you own ${domain}`, kept), now);
  }
}
