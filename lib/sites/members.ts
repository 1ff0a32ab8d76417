import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { personId, role, untrusted } from "@/lib/contract/fields";
import type { Role } from "@/lib/contract/vocabulary";
import { changeSiteAs, inSiteTransaction, type SiteChange } from "@/lib/gateway/changes/change-site";
import { changeSite, LARGEST_ID, type SiteWork } from "@/lib/gateway/changes/site-revision";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { siteFor } from "@/lib/sites/access";
import { notifyMembershipChange, notifyRoleChange } from "@/lib/sites/notices";
import { describePerson } from "@/lib/sites/people";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** A member of a site. */
export interface Member {
  personId: number;
  email: string;
  name: string | null;
  role: Role;
  since: Date;
  /** Whether they get emails about incidents: those who opted in, and owners who did not opt out. */
  alerts: boolean;
}

/** A member in API responses. */
export const memberShape = z
  .object({
    person_id: personId,
    email: z.string().meta({ examples: ["ann@example.com"] }),
    name: untrusted.nullable().meta({ examples: ["Ann"] }),
    role,
    since: z.iso.datetime().meta({ description: "When the person joined the site" }),
    alerts: z.boolean().meta({ description: "Whether the person gets emails about incidents" }),
  })
  .meta({ id: "Member" });

export const describeMember = ({
  personId,
  email,
  name,
  role,
  since,
  alerts,
}: Member): z.input<typeof memberShape> => ({
  person_id: personId,
  email,
  name,
  role,
  since: since.toISOString(),
  alerts,
});

/** Lists the members of a site, owners first, then by the time they joined. Visible to every member. */
export async function listMembers(siteId: number, on: Db = db()): Promise<Member[]> {
  const rows = await on.membership.findMany({
    where: { siteId },
    include: { person: { select: { email: true, name: true } } },
    // The enum is ordered viewer, manager, owner.
    orderBy: [{ role: "desc" }, { createdAt: "asc" }, { personId: "asc" }],
  });
  return rows.map(({ personId, role, createdAt, alerts, person }) => ({
    personId,
    role,
    since: createdAt,
    alerts: alerts ?? role === "owner",
    ...person,
  }));
}

/**
 * Checks that a member can get another role or be removed.
 *
 * @param becomes the new role; null to remove the member
 * @returns the person's label for approval requests, and their current role
 * @throws Refusal `not_found` for a non-member, `role_denied` if the site would have no owner, `invalid_input` for
 *   a new owner who has reached their site limit
 */
export async function memberToChange(
  on: Db,
  site: SiteAccess,
  personId: number,
  becomes: Role | null,
): Promise<{ label: string; role: Role }> {
  const member =
    personId <= LARGEST_ID &&
    (await on.membership.findUnique({
      where: { siteId_personId: { siteId: site.id, personId } },
      select: { role: true, person: { select: { name: true, email: true } } },
    }));
  if (!member) throw notMember();
  if (becomes !== "owner") await requireOtherOwner(on, site, personId);
  else await requireRoomForSite(on, personId, site.id, "person_id");
  return { label: `${describePerson(member.person)}, ID ${personId}`, role: member.role };
}

/**
 * Changes the role of a member and emails them.
 *
 * @throws Refusal see `memberToChange`
 */
export async function changeRole({ db, site, principal, now }: SiteWork, personId: number, role: Role): Promise<void> {
  await memberToChange(db, site, personId, role);
  await db.membership.updateMany({ where: { siteId: site.id, personId }, data: { role } });
  await changeSite(db, site.id);
  if (personId !== principal.personId) await notifyRoleChange(db, { siteId: site.id, personId, role }, now);
}

/**
 * Removes a member and their agents' access, and emails them.
 *
 * @throws Refusal see `memberToChange`
 */
export async function removeMember({ db, site, principal, now }: SiteWork, personId: number): Promise<void> {
  await memberToChange(db, site, personId, null);
  await endMembership(db, site.id, personId);
  await changeSite(db, site.id);
  if (personId !== principal.personId) await notifyRoleChange(db, { siteId: site.id, personId, role: null }, now);
}

/** Removes the caller from a site. @throws Refusal `role_denied` for the last owner; see also `siteFor` */
export const leaveSite = (by: SiteChange): Promise<void> => inSiteTransaction((tx) => leaveWithin(tx, by));

/** Like `leaveSite`, within the transaction that deletes the person's account. */
export const leaveWithin = (tx: Db, by: SiteChange): Promise<void> =>
  changeSiteAs(tx, by, { operation: "members.leave", detail: { person_id: by.personId } }, async () => {
    const { siteId, personId, now } = by;
    const site = await siteFor(tx, { kind: "owner", personId }, siteId, "viewer", true);
    await requireOtherOwner(tx, site, personId);
    await endMembership(tx, siteId, personId);
    await notifyMembershipChange(tx, { siteId, personId, act: "left" }, now);
  });

/** Their agents lose access too. A person who rejoins has to grant it again. */
async function endMembership(tx: Db, siteId: number, personId: number): Promise<void> {
  await tx.membership.deleteMany({ where: { siteId, personId } });
  const ofTheirAgents = { siteId, client: { ownerId: personId } };
  await supersedeApprovals(tx, ofTheirAgents);
  await tx.clientSite.deleteMany({ where: ofTheirAgents });
}

/** Requires that the site has another owner. The site is locked, so two owners cannot remove each other. */
async function requireOtherOwner(on: Db, site: SiteAccess, personId: number): Promise<void> {
  const others = { siteId: site.id, role: "owner" as const, personId: { not: personId } };
  if ((await on.membership.count({ where: others })) > 0) return;
  throw new Refusal(
    "role_denied",
    `${site.domain} needs an owner. Make another member an owner first, or delete the site.`,
  );
}

const notMember = () => new Refusal("not_found", "This person is not a member of the site.");
