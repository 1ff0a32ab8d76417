import { z } from "zod";
import { confirmedPerson } from "@/lib/auth/confirmation";
import { role } from "@/lib/contract/fields";
import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { changeSiteAs, inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { changeSite, type SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { takeRate } from "@/lib/platform/rate";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { inviteByMail, noticeOfPeople, primaryDomainOf } from "@/lib/sites/notices";
import { requireRoomForSite } from "@/lib/sites/site-limits";

const DAY_MS = 24 * 3600_000;
const LIVES_MS = 7 * DAY_MS;
const INVITATIONS_A_DAY = 50;

const hashOf = (secret: string) => new Uint8Array(digest(secret));

export const invitationId = z
  .int("must be the id of an invitation")
  .min(1, "must be the id of an invitation")
  .max(2 ** 31 - 1, "must be the id of an invitation")
  .meta({ description: "Identifier of an open invitation, as sites.members.list answers it" });

/** An open invitation as operations answer it; its link is in the email alone. */
export const invitationShape = z
  .object({
    invitation_id: invitationId,
    email: z.string(),
    role,
    since: z.iso.datetime().meta({ description: "When the invitation was sent" }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "Invitation" });

/** An invitation that waits, as the people of the site see it. */
export interface Waiting {
  id: number;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}

export const describeInvitation = (invitation: Waiting): z.input<typeof invitationShape> => ({
  invitation_id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  since: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});

/** The invitations of a site that can still be accepted. */
export const listInvitations = (siteId: number, now: Date, on: Db = db()): Promise<Waiting[]> =>
  on.invitation.findMany({
    where: { siteId, expiresAt: { gt: now }, ...byOwnerOf(siteId) },
    orderBy: { createdAt: "asc" },
  });

/** An invitation counts as long as whoever wrote it owns the site. */
const byOwnerOf = (siteId: number) => ({
  invitedBy: { memberships: { some: { siteId, role: "owner" as const } } },
});

/**
 * Reads the role that an open invitation of this address gives; null without one.
 *
 * @throws Refusal `role_denied` for a caller who may not invite: without a person, or whose address is not confirmed.
 */
export async function invitationToRenew({ db, site, principal, now }: SiteWork, email: string): Promise<Role | null> {
  await confirmedPerson(db, principal);
  const open = await listInvitations(site.id, now, db);
  return open.find((invitation) => invitation.email === email)?.role ?? null;
}

/**
 * Emails an invitation to an address. A further invitation of the same address replaces the one before: its link ends.
 *
 * @param email normal already
 * @throws Refusal `rate_limited` after 50 a day of one person, and as `invitationToRenew` does.
 */
export async function sendInvitation(
  { db, site, principal, now }: SiteWork,
  { email, role }: { email: string; role: Role },
): Promise<Waiting> {
  const siteId = site.id;
  const by = await confirmedPerson(db, principal);
  await countInvitation(db, by.id, now);
  const secret = freshSecret();
  const expiresAt = new Date(now.getTime() + LIVES_MS);
  const fresh = { hash: hashOf(secret), role, invitedById: by.id, createdAt: now, expiresAt };
  const invitation = await db.invitation.upsert({
    where: { siteId_email: { siteId, email } },
    create: { siteId, email, ...fresh },
    update: fresh,
  });
  await changeSite(db, siteId);
  await inviteByMail(db, { siteId, email, role, by: by.email, secret, expiresAt }, now);
  return invitation;
}

async function countInvitation(tx: Db, personId: number, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(`invite:${personId}`, INVITATIONS_A_DAY, DAY_MS, now, tx);
  if (allowed) return;
  const message = `You sent ${INVITATIONS_A_DAY} invitations today. Send the others tomorrow.`;
  throw new Refusal("rate_limited", message, undefined, retryAfter);
}

/** Reads an open invitation of a site by its id. @throws Refusal `not_found` when it was accepted or has ended. */
export async function requireOpenInvitation(on: Db, siteId: number, id: number, now: Date): Promise<Waiting> {
  const open = await listInvitations(siteId, now, on);
  const invitation = open.find((one) => one.id === id);
  if (!invitation) throw new Refusal("not_found", "That invitation was accepted or has ended already.");
  return invitation;
}

/** Withdraws an invitation: its link ends. @throws Refusal `not_found` when it was accepted or has ended. */
export async function withdrawInvitation({ db, site }: SiteWork, id: number): Promise<void> {
  const { count } = await db.invitation.deleteMany({ where: { id, siteId: site.id } });
  if (count === 0) throw new Refusal("not_found", "That invitation was accepted or has ended already.");
  await changeSite(db, site.id);
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

/** Who accepts an invitation, with which request. */
interface Accepting {
  personId: number;
  email: string;
  requestId: string;
}

/**
 * A signed-in person accepts. Who belongs to the site already keeps their role where it is the higher one.
 *
 * @returns the site they belong to now.
 * @throws Refusal `not_found` for a link that has ended, `role_denied` when it is for another address, `invalid_input`
 *   for an owner-to-be who has no room for another site.
 */
export const acceptInvitation = (secret: string, by: Accepting, now: Date): Promise<number> =>
  inSiteTransaction((tx) => acceptWithin(tx, secret, by, now));

/** The same within the transaction that makes the person's account. */
export async function acceptWithin(tx: Db, secret: string, by: Accepting, now: Date): Promise<number> {
  const { personId, email, requestId } = by;
  const { siteId, role } = await requireInvitation(tx, secret, email, now);
  const act = { operation: "invitations.accept", detail: { role } };
  await changeSiteAs(tx, { personId, siteId, requestId, now }, act, async () => {
    // Once more with the site locked: it may have been withdrawn, or its writer removed, in the meantime.
    await requireInvitation(tx, secret, email, now);
    const { count } = await tx.invitation.deleteMany({ where: { hash: hashOf(secret) } });
    if (count === 0) throw invitationEnded();
    if (role === "owner") await requireRoomForSite(tx, personId, siteId, null);
    await join(tx, siteId, personId, role, now);
    // The link was in an email to this very address.
    await tx.person.updateMany({ where: { id: personId, confirmedAt: null }, data: { confirmedAt: now } });
    await noticeOfPeople(tx, { siteId, personId, act: { joined: role } }, now);
  });
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
