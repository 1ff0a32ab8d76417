import { Refusal } from "@/lib/contract/errors";
import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { type Db, db } from "@/lib/db";
import { lockSite } from "@/lib/gateway/lock-site";
import { isOutOfTurn } from "@/lib/pool";
import { digest, freshSecret } from "@/lib/secrets";
import { changeSite } from "@/lib/sites/change";
import { busy, changePeople, notePeople, type PeopleChange } from "@/lib/sites/members";
import { inviteByMail, noticeOfPeople, primaryDomainOf } from "@/lib/sites/notices";
import { requireRoomForSite } from "@/lib/sites/site-limits";

const LIVES_MS = 7 * 24 * 3600_000;

const hashOf = (secret: string) => new Uint8Array(digest(secret));

/** An invitation that waits, as the people of the site see it. */
export interface Waiting {
  id: number;
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
}

/** The invitations of a site that can still be accepted. */
export async function listInvitations(siteId: number, now: Date): Promise<Waiting[]> {
  const rows = await db().invitation.findMany({
    where: { siteId, expiresAt: { gt: now }, ...byOwnerOf(siteId) },
    include: { invitedBy: { select: { email: true } } },
    orderBy: { createdAt: "asc" },
  });
  return rows.map(({ id, email, role, expiresAt, invitedBy }) => ({
    id,
    email,
    role,
    expiresAt,
    invitedBy: invitedBy.email,
  }));
}

/** An invitation counts as long as whoever wrote it owns the site. */
const byOwnerOf = (siteId: number) => ({
  invitedBy: { memberships: { some: { siteId, role: "owner" as const } } },
});

/**
 * An owner invites the person behind an e-mail address by letter. A further invitation of the same address takes the
 * place of the one before: its link ends.
 *
 * @param email normal already
 * @throws Refusal as `siteFor` does for who does not own the site.
 */
export async function sendInvitation(
  by: PeopleChange & { email: string },
  { email, role }: { email: string; role: Role },
): Promise<void> {
  const { siteId, personId, now } = by;
  const secret = freshSecret();
  const expiresAt = new Date(now.getTime() + LIVES_MS);
  const fresh = { hash: hashOf(secret), role, invitedById: personId, createdAt: now, expiresAt };
  await changePeople(by, "owner", { operation: "invitations.send", detail: { email, role } }, async (tx) => {
    await tx.invitation.upsert({
      where: { siteId_email: { siteId, email } },
      create: { siteId, email, ...fresh },
      update: fresh,
    });
    await inviteByMail(tx, { siteId, email, role, by: by.email, secret, expiresAt }, now);
  });
}

/** An owner takes an invitation back. @throws Refusal `not_found` when it was accepted or has ended. */
export async function withdrawInvitation(by: PeopleChange, invitationId: number): Promise<void> {
  const what = { operation: "invitations.withdraw", detail: { invitation_id: invitationId } };
  await changePeople(by, "owner", what, async (tx, site) => {
    const { count } = await tx.invitation.deleteMany({ where: { id: invitationId, siteId: site.id } });
    if (count === 0) throw new Refusal("not_found", "That invitation was accepted or has ended already.");
  });
}

/** What a link invites to. */
export interface Opened {
  siteId: number;
  domain: string;
  role: Role;
  /** The one address that may accept it. */
  email: string;
  invitedBy: string;
  expiresAt: Date;
}

/** Reads a link's invitation; null when it was accepted, withdrawn or renewed, or is too old. */
export async function openInvitation(on: Db, secret: string, now: Date): Promise<Opened | null> {
  const row = await on.invitation.findUnique({
    where: { hash: hashOf(secret), expiresAt: { gt: now } },
    include: { invitedBy: { select: { email: true, memberships: { select: { siteId: true, role: true } } } } },
  });
  if (!row?.invitedBy.memberships.some(({ siteId, role }) => siteId === row.siteId && role === "owner")) return null;
  const { siteId, role, email, expiresAt, invitedBy } = row;
  return { siteId, domain: await primaryDomainOf(on, siteId), role, email, invitedBy: invitedBy.email, expiresAt };
}

/**
 * The invitation of a link, for who holds the address it is for.
 *
 * @param email normal already
 * @throws Refusal `not_found` for a link that has ended, `role_denied` when it is for another address.
 */
export async function requireInvitation(on: Db, secret: string, email: string, now: Date): Promise<Opened> {
  const opened = await openInvitation(on, secret, now);
  if (!opened) throw invitationEnded();
  if (opened.email === email) return opened;
  throw new Refusal("role_denied", "This invitation is for another e-mail address; sign in with that one.");
}

/**
 * A signed-in person accepts. Who belongs to the site already keeps their role where it is the higher one.
 *
 * @returns the site they belong to now.
 * @throws Refusal `not_found` for a link that has ended, `role_denied` when it is for another address, `invalid_input`
 *   for an owner-to-be who has no room for another site.
 */
export async function acceptInvitation(
  secret: string,
  by: { personId: number; email: string; requestId: string },
  now: Date,
): Promise<number> {
  try {
    return await db().$transaction((tx) => acceptWithin(tx, secret, by, now));
  } catch (error) {
    if (isOutOfTurn(error)) throw busy();
    throw error;
  }
}

/** The same within the transaction that makes the person's account. */
export async function acceptWithin(
  tx: Db,
  secret: string,
  by: { personId: number; email: string; requestId: string },
  now: Date,
): Promise<number> {
  const seen = await requireInvitation(tx, secret, by.email, now);
  await lockSite(tx, seen.siteId);
  // Once more with the site's row held: it may have been withdrawn, or its writer removed, in the meantime.
  const { siteId, role } = await requireInvitation(tx, secret, by.email, now);
  const { count } = await tx.invitation.deleteMany({ where: { hash: hashOf(secret) } });
  if (count === 0) throw invitationEnded();
  if (role === "owner") await requireRoomForSite(tx, by.personId, siteId, null);
  await join(tx, siteId, by.personId, role, now);
  // The link was in an email to this very address.
  await tx.person.updateMany({ where: { id: by.personId, confirmedAt: null }, data: { confirmedAt: now } });
  await changeSite(tx, siteId);
  await notePeople(tx, { ...by, siteId, now }, { operation: "invitations.accept", detail: { role } });
  const joined = { siteId, personId: by.personId, byId: by.personId, act: { joined: role } };
  await noticeOfPeople(tx, joined, now);
  return siteId;
}

async function join(tx: Db, siteId: number, personId: number, role: Role, now: Date): Promise<void> {
  const lower = Object.entries(ROLES).filter(([, { rank }]) => rank < ROLES[role].rank);
  await tx.membership.createMany({ data: [{ siteId, personId, role, createdAt: now }], skipDuplicates: true });
  await tx.membership.updateMany({
    where: { siteId, personId, role: { in: lower.map(([name]) => name as Role) } },
    data: { role },
  });
}

export const invitationEnded = () =>
  new Refusal("not_found", "This invitation was accepted, taken back or is too old. Ask for a new one.");
