import { ROLES, type Role } from "@/lib/contract/vocabulary";
import type { Db } from "@/lib/db";
import { env } from "@/lib/env";
import { momentInWords, queueMail, writeLetter } from "@/lib/mail";
import { keptInWords } from "@/lib/sites/keeping-words";

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
  const letter = writeLetter(
    email,
    `You are invited to the numbers of ${domain}`,
    [
      `${by} invites you to ${domain} on Footfall, which counts its visitors.\nYour role would be ${role}, who ${ROLES[role].about}.`,
      `Accept before ${momentInWords(expiresAt)}, with this e-mail address:\n${env().BASE_URL}/invite/${secret}`,
      "If you do not know who this is, there is nothing to do: the invitation ends by itself.",
    ],
    `${by} entered your address`,
  );
  await queueMail(tx, letter, now);
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
  await queueMail(tx, writeLetter(email, subject, [text], why, role ? kept : []), now);
}

/** What people do about who belongs to a site. */
type PeopleAct = { became: Role } | { joined: Role } | "removed" | "left";

/** Tells the owners of a site what happened to its people; whoever did it knows, and whom it concerns is told by `noticeOfRole`. */
export async function noticeOfPeople(
  tx: Db,
  change: { siteId: number; personId: number; byId: number; act: PeopleAct },
  now: Date,
): Promise<void> {
  const { siteId, personId, byId, act } = change;
  const words = async (domain: string, by: string) => ({
    ...peopleActInWords(act, { domain, by, who: await emailOf(tx, personId) }),
    mend: `see who belongs to the site: ${env().BASE_URL}/sites/${siteId}/settings/people`,
  });
  await tellOwners(tx, { siteId, byId, but: [personId, byId], words }, now);
}

/** Tells the other owners of a site how long what was counted is kept from now on; null is forever. */
export async function noticeOfKeeping(
  tx: Db,
  change: { siteId: number; byId: number; months: number | null },
  now: Date,
): Promise<void> {
  const { siteId, byId, months } = change;
  const kept = months === null ? "forever" : `for ${keptInWords(months)}; what is older is destroyed`;
  const words = async (domain: string, by: string) => ({
    subject: `How long ${domain} keeps its numbers was changed`,
    text: `${by} decided that what ${domain} has counted is kept ${kept}.`,
    mend: `set it right at once: ${env().BASE_URL}/sites/${siteId}/settings/data`,
  });
  await tellOwners(tx, { siteId, byId, but: [byId], words }, now);
}

interface Telling {
  siteId: number;
  /** Who did it. */
  byId: number;
  /** Who is told nothing. */
  but: number[];
  /** The letter, and what to do for who did not expect it; asked for where somebody is told. */
  words(domain: string, by: string): Promise<{ subject: string; text: string; mend: string }>;
}

async function tellOwners(tx: Db, { siteId, byId, but, words }: Telling, now: Date): Promise<void> {
  const owners = await tx.person.findMany({
    where: { id: { notIn: but }, memberships: { some: { siteId, role: "owner" } } },
    select: { email: true },
  });
  if (owners.length === 0) return;
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const { subject, text, mend } = await words(domain, await emailOf(tx, byId));
  const paragraphs = [`${text}\nThis was on ${momentInWords(now)}.`, `If you did not expect this, ${mend}`];
  for (const { email } of owners) {
    await queueMail(tx, writeLetter(email, subject, paragraphs, `you own ${domain}`, kept), now);
  }
}

const emailOf = async (tx: Db, id: number): Promise<string> =>
  (await tx.person.findUniqueOrThrow({ where: { id }, select: { email: true } })).email;

function peopleActInWords(act: PeopleAct, { domain, who, by }: { domain: string; who: string; by: string }) {
  if (act === "left") return { subject: `Someone left ${domain}`, text: `${who} no longer belongs to ${domain}.` };
  if (act === "removed") {
    return { subject: `Someone was removed from ${domain}`, text: `${by} removed ${who} from ${domain}.` };
  }
  if ("joined" in act) {
    const text = `${who} accepted an invitation to ${domain} as its ${act.joined}, who ${ROLES[act.joined].about}.`;
    return { subject: `Someone joined ${domain}`, text };
  }
  const text = `${by} made ${who === by ? "themselves" : who} ${act.became} of ${domain}, who ${ROLES[act.became].about}.`;
  return { subject: `A role on ${domain} was changed`, text };
}
