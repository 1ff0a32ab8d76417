import { z } from "zod";
import { ROLES, type Role } from "@/lib/contract/access";
import type { SiteAccess } from "@/lib/contract/define";
import { personId, role, untrusted } from "@/lib/contract/fields";
import { changeSiteAs, inSiteTransaction, type SiteChange } from "@/lib/gateway/changes/change-site";
import { changeSite, LARGEST_ID, type SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { siteFor } from "@/lib/sites/access";
import { notifyMembershipChange, notifyRoleChange } from "@/lib/sites/notices";
import { describePerson } from "@/lib/sites/people";
import { endOwnRole, setOwnRole } from "@/lib/sites/roles";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** A member of a site. */
export interface Member {
  personId: number;
  email: string;
  name: string | null;
  role: Role;
  /** The role that the site's team gives them, which is at most `role`; null without one. */
  teamRole: Role | null;
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
    team_role: role.nullable().meta({
      description: "The role that the site's team gives, on all its sites: change it there. Null without one",
      examples: [null],
    }),
    since: z.iso.datetime().meta({ description: "When the person joined the site" }),
    alerts: z.boolean().meta({ description: "Whether the person gets emails about incidents" }),
  })
  .meta({ id: "Member" });

export const describeMember = ({
  personId,
  email,
  name,
  role,
  teamRole,
  since,
  alerts,
}: Member): z.input<typeof memberShape> => ({
  person_id: personId,
  email,
  name,
  role,
  team_role: teamRole,
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
  return rows.map(({ personId, role, teamRole, createdAt, alerts, person }) => ({
    personId,
    role,
    teamRole,
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
 * @throws Refusal `not_found` for a non-member, `role_denied` if the site would have no owner or its team gives them a
 *   higher role, `invalid_input` for a new owner who has reached their site limit
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
      select: { role: true, teamRole: true, ownRole: true, person: { select: { name: true, email: true } } },
    }));
  if (!member) throw notMember();
  const { teamRole } = member;
  const isOfTeam = becomes ? ROLES[becomes].rank < ROLES[teamRole ?? "viewer"].rank : member.ownRole === null;
  if (teamRole && isOfTeam) throw await givenByTeam(on, site.id);
  if (teamRole === "owner") return labelled(personId, member);
  if (becomes !== "owner") await requireOtherOwner(on, site, personId);
  else await requireRoomForSite(on, personId, site.id, "person_id");
  return labelled(personId, member);
}

const labelled = (
  personId: number,
  { person, role }: { person: { name: string | null; email: string }; role: Role },
): { label: string; role: Role } => ({ label: `${describePerson(person)}, ID ${personId}`, role });

async function givenByTeam(on: Db, siteId: number): Promise<Refusal> {
  const { team } = await on.site.findUniqueOrThrow({ where: { id: siteId }, select: { team: true } });
  return new Refusal(
    "role_denied",
    `This role is given by the team ${team?.id} (${plainText(team?.name ?? "")}) on all its sites. Change it there: teams.members.update and teams.members.remove, or the page of the team.`,
  );
}

/**
 * Changes the role of a member and emails them.
 *
 * @throws Refusal see `memberToChange`
 */
export async function changeRole({ db, site, principal, now }: SiteWork, personId: number, role: Role): Promise<void> {
  await memberToChange(db, site, personId, role);
  await setOwnRole(db, site.id, personId, role);
  await changeSite(db, site.id);
  if (personId !== principal.personId) await notifyRoleChange(db, { siteId: site.id, personId, role }, now);
}

/**
 * Removes a member and their agents' access, and emails them. Who is in the site's team keeps the role that it gives.
 *
 * @throws Refusal see `memberToChange`
 */
export async function removeMember({ db, site, principal, now }: SiteWork, personId: number): Promise<void> {
  await memberToChange(db, site, personId, null);
  await endOwnRole(db, site.id, personId);
  await changeSite(db, site.id);
  if (personId !== principal.personId) await notifyRoleChange(db, { siteId: site.id, personId, role: null }, now);
}

/** Removes the caller from a site. @throws Refusal `role_denied` for the last owner and members of its team; see `siteFor` */
export const leaveSite = (by: SiteChange): Promise<void> => inSiteTransaction((tx) => leaveWithin(tx, by));

/** Like `leaveSite`, within the transaction that deletes the person's account. */
export const leaveWithin = (tx: Db, by: SiteChange): Promise<void> =>
  changeSiteAs(tx, by, { operation: "members.leave", detail: { person_id: by.personId } }, async () => {
    const { siteId, personId, now } = by;
    const site = await siteFor(tx, { kind: "owner", personId }, siteId, "viewer", true);
    if (await tx.membership.count({ where: { siteId, personId, teamRole: { not: null } } }))
      throw await givenByTeam(tx, siteId);
    await requireOtherOwner(tx, site, personId);
    await endOwnRole(tx, siteId, personId);
    await notifyMembershipChange(tx, { siteId, personId, act: "left" }, now);
  });

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
