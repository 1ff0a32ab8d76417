import { ROLES, type Role } from "@/lib/contract/access";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { notifyMembershipChange, notifyRoleChange } from "@/lib/sites/notices";
import { describePerson } from "@/lib/sites/people";
import { requireRoomForSites } from "@/lib/sites/site-limits";
import { reachSites, type TeamAccess, type TeamChange, teamFor } from "@/lib/sites/team-access";

/** The members of a team. Their role holds on all its sites at once. */

/**
 * Checks that a member of a team can get another role or be removed.
 *
 * @param becomes the new role; null to remove the member
 * @returns the person's label for approval requests, and their current role
 * @throws Refusal `not_found` for a non-member, `role_denied` if the team would have no owner, `invalid_input` for a new
 *   owner who has no room for the sites of the team
 */
export async function teamMemberToChange(
  on: Db,
  team: TeamAccess,
  personId: number,
  becomes: Role | null,
): Promise<{ label: string; role: Role }> {
  const member =
    personId <= LARGEST_ID &&
    (await on.teamMember.findUnique({
      where: { teamId_personId: { teamId: team.id, personId } },
      select: { role: true, person: { select: { name: true, email: true } } },
    }));
  if (!member) throw new Refusal("not_found", "This person is not a member of the team.");
  if (becomes !== "owner") await requireOtherOwner(on, team, personId);
  else await requireRoomForSites(on, personId, siteIdsOf(team), "person_id");
  return { label: `${describePerson(member.person)}, ID ${personId}`, role: member.role };
}

const siteIdsOf = ({ sites }: Pick<TeamAccess, "sites">) => sites.map(({ id }) => id);

/** Requires that the team has another owner. It is locked, so two owners cannot remove each other. */
async function requireOtherOwner(on: Db, team: Pick<TeamAccess, "id" | "name">, personId: number): Promise<void> {
  const others = { teamId: team.id, role: "owner" as const, personId: { not: personId } };
  if ((await on.teamMember.count({ where: others })) > 0) return;
  throw new Refusal(
    "role_denied",
    `The team ${plainText(team.name)} needs an owner. Make another member an owner first, or take its sites out and delete it.`,
  );
}

/** Changes the role of a member, or removes them with `null`, and emails them. @throws Refusal see `teamMemberToChange` */
export async function changeTeamMember(
  by: TeamChange,
  team: TeamAccess,
  { personId, role }: { personId: number; role: Role | null },
): Promise<void> {
  const { db, principal, now } = by;
  await teamMemberToChange(db, team, personId, role);
  const where = { teamId: team.id, personId };
  if (role) await db.teamMember.updateMany({ where, data: { role } });
  else await db.teamMember.deleteMany({ where });
  const operation = role ? "teams.members.update" : "teams.members.remove";
  await reachSites(by, team, { operation, detail: { person_id: personId, ...(role && { role }) } });
  if (personId !== principal.personId) await notifyRoleChange(db, { teamId: team.id, personId, role }, now);
}

/** A person who joins or leaves a team. */
interface Own {
  teamId: number;
  personId: number;
  requestId: string;
  now: Date;
}

/** Removes the caller from a team. @throws Refusal `role_denied` for its last owner, `not_found` for a non-member */
export const leaveTeam = (by: Own): Promise<void> => inSiteTransaction((tx) => leaveTeamWithin(tx, by));

/** Like `leaveTeam`, within the transaction that deletes the person's account. */
export async function leaveTeamWithin(tx: Db, { teamId, personId, requestId, now }: Own): Promise<void> {
  const principal = { kind: "owner", personId } as const;
  const team = await teamFor(tx, principal, teamId, "viewer");
  await requireOtherOwner(tx, team, personId);
  await tx.teamMember.deleteMany({ where: { teamId, personId } });
  const detail = { person_id: personId };
  await reachSites({ db: tx, principal, now, requestId }, team, { operation: "teams.leave", detail });
  await writeAudit(tx, { at: now, personId, operation: "teams.leave", requestId, detail: { team_id: teamId } });
  await notifyMembershipChange(tx, { teamId, personId, act: "left" }, now);
}

/** Ends a team whose only member leaves with their account. Its sites keep the owners that they have themselves. */
export async function closeTeam(tx: Db, { teamId, personId, requestId, now }: Own): Promise<void> {
  const principal = { kind: "owner", personId } as const;
  const team = await teamFor(tx, principal, teamId, "viewer");
  await tx.site.updateMany({ where: { teamId }, data: { teamId: null } });
  await reachSites({ db: tx, principal, now, requestId }, team, { operation: "teams.delete", detail: {} });
  await tx.team.deleteMany({ where: { id: teamId } });
  await writeAudit(tx, { at: now, personId, operation: "teams.delete", requestId, detail: { team_id: teamId } });
}

/**
 * Makes a person a member of a team, or raises their role there; it never lowers one.
 *
 * @param accepted uses up the invitation under the lock of the team and returns its role
 * @throws Refusal `invalid_input` for a future owner without room for the sites of the team
 */
export async function joinTeam(
  tx: Db,
  { teamId, personId, requestId, now }: Own,
  inviterId: number,
  accepted: () => Promise<Role>,
): Promise<void> {
  const team = await teamFor(tx, { kind: "owner", personId: inviterId }, teamId, "owner");
  const role = await accepted();
  if (role === "owner") await requireRoomForSites(tx, personId, siteIdsOf(team), null);
  const where = { teamId_personId: { teamId, personId } };
  const current = (await tx.teamMember.findUnique({ where }))?.role;
  const highest = current && ROLES[current].rank > ROLES[role].rank ? current : role;
  await tx.teamMember.upsert({
    where,
    create: { teamId, personId, role, createdAt: now },
    update: { role: highest },
  });
  const principal = { kind: "owner", personId } as const;
  const detail = { role };
  await reachSites({ db: tx, principal, now, requestId }, team, { operation: "invitations.accept", detail });
  const entry = { at: now, personId, operation: "invitations.accept", requestId };
  await writeAudit(tx, { ...entry, detail: { role, team_id: teamId } });
}
