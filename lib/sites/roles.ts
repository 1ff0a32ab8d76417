import { ROLES, type Role } from "@/lib/contract/access";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { type Db, Prisma } from "@/lib/platform/db";

/** The roles of members: the higher one of those that the site itself and its team give. Only this file writes both. */

/** Sets the role that the site itself gives a member. The caller must hold the site's row. @returns whether they are one */
export async function setOwnRole(tx: Db, siteId: number, personId: number, role: Role): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE membership SET own_role = CASE WHEN team_role IS NOT NULL THEN ${role}::role END,
      role = GREATEST(${role}::role, team_role)
    WHERE site_id = ${siteId} AND person_id = ${personId}`;
  return changed > 0;
}

/** Makes a person a member of a site, or raises the role that the site gives them; it never lowers one. */
export async function raiseOwnRole(tx: Db, siteId: number, personId: number, role: Role, now: Date): Promise<void> {
  await tx.membership.createMany({ data: [{ siteId, personId, role, createdAt: now }], skipDuplicates: true });
  const member = await tx.membership.findUniqueOrThrow({ where: { siteId_personId: { siteId, personId } } });
  const own = member.teamRole === null ? member.role : member.ownRole;
  if (own === null || ROLES[own].rank < ROLES[role].rank) await setOwnRole(tx, siteId, personId, role);
}

/**
 * Takes the role away that the site itself gives. Without one of its team the person is no member any more, and their
 * agents lose access too: a person who rejoins has to grant it again.
 */
export async function endOwnRole(tx: Db, siteId: number, personId: number): Promise<void> {
  const kept = await tx.$executeRaw`
    UPDATE membership SET own_role = NULL, role = team_role
    WHERE site_id = ${siteId} AND person_id = ${personId} AND team_role IS NOT NULL`;
  if (kept === 0) await endMembership(tx, siteId, personId);
}

async function endMembership(tx: Db, siteId: number, personId: number): Promise<void> {
  await tx.membership.deleteMany({ where: { siteId, personId } });
  const ofTheirAgents = { siteId, client: { ownerId: personId } };
  await supersedeApprovals(tx, ofTheirAgents);
  await tx.clientSite.deleteMany({ where: ofTheirAgents });
}

/**
 * Gives the members of these sites' teams the roles of now, and takes those away that no team gives any more. The caller
 * must hold the rows of the sites. Call it after every change of a team's members or sites.
 */
export async function applyTeamRoles(tx: Db, siteIds: readonly number[], now: Date): Promise<void> {
  if (siteIds.length === 0) return;
  const sites = Prisma.sql`ANY(${[...siteIds]}::int[])`;
  await tx.$executeRaw`
    INSERT INTO membership AS member (site_id, person_id, role, team_role, created_at)
    SELECT site.id, given.person_id, given.role, given.role, ${now}
    FROM site JOIN team_member AS given ON given.team_id = site.team_id WHERE site.id = ${sites}
    ON CONFLICT (site_id, person_id) DO UPDATE SET
      team_role = EXCLUDED.team_role,
      own_role = CASE WHEN member.team_role IS NULL THEN member.role ELSE member.own_role END,
      role = GREATEST(CASE WHEN member.team_role IS NULL THEN member.role ELSE member.own_role END, EXCLUDED.team_role)
    WHERE member.team_role IS DISTINCT FROM EXCLUDED.team_role`;
  const lost = await tx.$queryRaw<{ siteId: number; personId: number; ownRole: Role | null }[]>`
    SELECT member.site_id AS "siteId", member.person_id AS "personId", own_role AS "ownRole"
    FROM membership AS member JOIN site ON site.id = member.site_id
    WHERE site.id = ${sites} AND team_role IS NOT NULL AND NOT EXISTS (
      SELECT FROM team_member AS given WHERE given.team_id = site.team_id AND given.person_id = member.person_id)
    ORDER BY 1, 2`;
  for (const { siteId, personId, ownRole } of lost) {
    if (ownRole === null) await endMembership(tx, siteId, personId);
    else
      await tx.membership.updateMany({
        where: { siteId, personId },
        data: { role: ownRole, ownRole: null, teamRole: null },
      });
  }
}
