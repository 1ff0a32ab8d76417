import { z } from "zod";
import { confirmedPerson } from "@/lib/auth/confirmation";
import { ROLES, type Role } from "@/lib/contract/access";
import type { ChangeLine, Work } from "@/lib/contract/define";
import { integerId, role } from "@/lib/contract/fields";
import { deliversEmail } from "@/lib/email/mailer";
import { changeSiteAs, inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret, hashOf } from "@/lib/platform/secrets";
import { notifyMembershipChange, placeNameOf, sendInvitationEmail } from "@/lib/sites/notices";
import { ownersOf, type Place, placeKey, teamNameOf } from "@/lib/sites/place";
import { raiseOwnRole } from "@/lib/sites/roles";
import { requireRoomForSite } from "@/lib/sites/site-limits";
import { joinTeam } from "@/lib/sites/team-members";

const TTL_MS = 7 * DAY_MS;
const INVITATIONS_PER_DAY = 50;

export const invitationId = integerId("must be the id of an invitation").meta({
  description: "Identifier of an open invitation, as returned by sites.members.list or teams.list",
  examples: [4],
});

/** An open invitation in API responses. Its link is only in the email. */
export const invitationShape = z
  .object({
    invitation_id: invitationId,
    email: z.string().meta({ examples: ["ben@example.com"] }),
    role: role.meta({ examples: ["viewer"] }),
    since: z.iso.datetime().meta({ description: "When the invitation was sent" }),
    expires_at: z.iso.datetime().meta({ examples: ["2026-11-27T09:30:00Z"] }),
  })
  .meta({ id: "Invitation" });

/** A new invitation in API responses. */
export const sentInvitationShape = invitationShape
  .extend({
    delivered: z.boolean().meta({
      examples: [true],
      description:
        "Whether the email is sent; false on a service without a mail server, whose operator finds it in the outbox",
    }),
    link: z
      .url()
      .nullable()
      .meta({ description: "For a signed-in owner of a service without a mail server, to pass on; otherwise null" }),
  })
  .meta({ id: "SentInvitation" });

/** An invitation that was not accepted yet. */
export interface OpenInvitation {
  id: number;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}

export const describeInvitation = (invitation: OpenInvitation): z.input<typeof invitationShape> => ({
  invitation_id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  since: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});

/** Lists the invitations to a place that can still be accepted: their sender is still an owner of it. */
export const listInvitations = (place: Place, now: Date, on: Db = db()): Promise<OpenInvitation[]> =>
  on.invitation.findMany({
    where: { ...placeKey(place), expiresAt: { gt: now }, invitedBy: ownersOf(place) },
    orderBy: { createdAt: "asc" },
  });

/** The part of an operation's context that invitations need. */
type Inviting = Pick<Work<unknown, unknown>, "db" | "principal" | "now">;

/**
 * Returns what an invitation changes, for the person who approves it: the role of the open invitation that it replaces, and
 * its own.
 *
 * @throws Refusal `role_denied` if the caller cannot invite: no person, or an unconfirmed email address
 */
export async function invitationLine(
  { db, principal, now }: Inviting,
  place: Place,
  { email, role }: { email: string; role: Role },
): Promise<ChangeLine> {
  await confirmedPerson(db, principal);
  const open = (await listInvitations(place, now, db)).find((invitation) => invitation.email === email);
  return { label: `Invitation for ${email}`, before: open ? inWords(open.role) : null, after: inWords(role) };
}

const inWords = (role: Role): string => `As ${role}, who ${ROLES[role].about}`;

/**
 * Creates and emails an invitation. It replaces an earlier invitation of the same email address, whose link stops
 * working. Without a mail server the link is also returned to a signed-in owner, and never to an agent: whoever has it
 * can create an account.
 *
 * @param email normalised
 * @throws Refusal `rate_limited` after 50 invitations per day and person; see also `invitationLine`
 */
export async function sendInvitation(
  { db, principal, now }: Inviting,
  place: Place,
  { email, role }: { email: string; role: Role },
): Promise<z.input<typeof sentInvitationShape>> {
  const by = await confirmedPerson(db, principal);
  await enforceRate(db, by.id, now);
  const secret = freshSecret();
  const expiresAt = new Date(now.getTime() + TTL_MS);
  const delivered = deliversEmail();
  const linkShown = !delivered && principal.kind === "owner";
  const fresh = { hash: hashOf(secret), role, invitedById: by.id, createdAt: now, expiresAt, linkShown };
  const invitation = await db.invitation.upsert({
    where:
      place.siteId === undefined
        ? { teamId_email: { teamId: place.teamId, email } }
        : { siteId_email: { siteId: place.siteId, email } },
    create: { ...placeKey(place), email, ...fresh },
    update: fresh,
  });
  if (place.siteId !== undefined) await changeSite(db, place.siteId);
  const link = `${env().BASE_URL}/invite/${secret}`;
  await sendInvitationEmail(db, { place, email, role, by, link, expiresAt }, now);
  return { ...describeInvitation(invitation), delivered, link: linkShown ? link : null };
}

async function enforceRate(tx: Db, personId: number, now: Date): Promise<void> {
  const message = `You sent ${INVITATIONS_PER_DAY} invitations today. Send the rest tomorrow.`;
  await requireRate(`invite:${personId}`, INVITATIONS_PER_DAY, DAY_MS, now, message, tx);
}

/**
 * Returns an open invitation to a place by its id.
 *
 * @throws Refusal `not_found` if it was accepted, withdrawn or expired
 */
export async function requireOpenInvitation(on: Db, place: Place, id: number, now: Date): Promise<OpenInvitation> {
  const open = await listInvitations(place, now, on);
  const invitation = open.find((one) => one.id === id);
  if (!invitation) throw new Refusal("not_found", "This invitation was accepted, withdrawn or has expired.");
  return invitation;
}

/** Withdraws an invitation, whose link stops working. @throws Refusal `not_found` if it was accepted or withdrawn */
export async function withdrawInvitation(db: Db, place: Place, id: number): Promise<void> {
  const { count } = await db.invitation.deleteMany({ where: { id, ...placeKey(place) } });
  if (count === 0) throw new Refusal("not_found", "This invitation was accepted, withdrawn or has expired.");
  if (place.siteId !== undefined) await changeSite(db, place.siteId);
}

/** The invitation of a link. */
export interface InvitationDetails {
  place: Place;
  /** The primary domain of the site, or the name of the team. */
  name: string;
  role: Role;
  /** The only email address that can accept it. */
  email: string;
  invitedBy: string;
  inviterId: number;
  expiresAt: Date;
  /** Whether the inviter saw the link. */
  linkShown: boolean;
}

/** Returns the invitation of a link; null if it was accepted, withdrawn, renewed or has expired. */
export async function readInvitation(on: Db, secret: string, now: Date): Promise<InvitationDetails | null> {
  const row = await on.invitation.findUnique({
    where: { hash: hashOf(secret), expiresAt: { gt: now } },
    include: { invitedBy: { select: { id: true, email: true } } },
  });
  if (!row) return null;
  const { siteId, teamId, invitedBy, ...invitation } = row;
  const place = siteId === null ? { teamId: teamId as number } : { siteId };
  if ((await on.person.count({ where: { id: invitedBy.id, ...ownersOf(place) } })) === 0) return null;
  return {
    ...invitation,
    place,
    name: teamId === null ? (await placeNameOf(on, place)).name() : ((await teamNameOf(on, teamId)) ?? ""),
    invitedBy: invitedBy.email,
    inviterId: invitedBy.id,
  };
}

/**
 * Returns the invitation of a link for the given email address.
 *
 * @param email normalised
 * @throws Refusal `not_found` for an invalid link, `role_denied` if it is for another email address
 */
export async function requireInvitation(on: Db, secret: string, email: string, now: Date): Promise<InvitationDetails> {
  const invitation = await readInvitation(on, secret, now);
  if (!invitation) throw invitationInvalid();
  if (invitation.email === email) return invitation;
  throw new Refusal("role_denied", "This invitation is for another email address. Sign in with that address.");
}

/** The person who accepts an invitation. */
interface Acceptance {
  personId: number;
  email: string;
  requestId: string;
}

/**
 * Accepts an invitation for a signed-in person. Members keep their role if it is higher than the invitation's.
 *
 * @returns what they are a member of now
 * @throws Refusal `not_found` for an invalid link, `role_denied` if it is for another email address,
 *   `invalid_input` for a future owner who has reached their site limit
 */
export const acceptInvitation = (secret: string, by: Acceptance, now: Date): Promise<Place> =>
  inSiteTransaction((tx) => acceptWithin(tx, secret, by, now));

/** Like `acceptInvitation`, within the transaction that creates the person's account. */
export async function acceptWithin(tx: Db, secret: string, by: Acceptance, now: Date): Promise<Place> {
  const { personId, email, requestId } = by;
  const { place, role, linkShown, inviterId } = await requireInvitation(tx, secret, email, now);
  const entry = { operation: "invitations.accept", detail: { role } };
  const redeem = async () => {
    // Checked again under the lock: the invitation may have been withdrawn, or its sender removed.
    await requireInvitation(tx, secret, email, now);
    const { count } = await tx.invitation.deleteMany({ where: { hash: hashOf(secret) } });
    if (count === 0) throw invitationInvalid();
    // A link that was only emailed to this address confirms it.
    if (!linkShown)
      await tx.person.updateMany({ where: { id: personId, confirmedAt: null }, data: { confirmedAt: now } });
    return role;
  };
  if (place.siteId === undefined)
    await joinTeam(tx, { teamId: place.teamId, personId, requestId, now }, inviterId, redeem);
  else
    await changeSiteAs(tx, { personId, siteId: place.siteId, requestId, now }, entry, async () => {
      await redeem();
      if (role === "owner") await requireRoomForSite(tx, personId, place.siteId, null);
      await raiseOwnRole(tx, place.siteId, personId, role, now);
    });
  await notifyMembershipChange(tx, { ...place, personId, act: { joined: role } }, now);
  return place;
}

const invitationInvalid = () =>
  new Refusal("not_found", "This invitation was accepted, withdrawn or has expired. Ask for a new one.");
