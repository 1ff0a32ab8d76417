import { ROLES, type Role } from "@/lib/contract/access";
import type { ChangeLine, Principal, Work } from "@/lib/contract/define";
import { integerId, nameText } from "@/lib/contract/fields";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockTeam } from "@/lib/gateway/changes/lock-site";
import { changeSite, LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { applyTeamRoles } from "@/lib/sites/roles";

/** Who may act on a team, and how a change of it reaches its sites. */

export const teamId = integerId("must be the id of a team").meta({
  description: "Identifier of a team, as returned by teams.list",
  examples: [3],
});

export const teamName = nameText(100)
  .refine((name) => name !== "", "must not be empty")
  .meta({ description: "Name of the team", examples: ["Acme"] });

/**
 * Returns a filter for the teams a principal may act on: its person is a member and, for an agent, every site of the team
 * is granted to it, because a role in the team holds on all of them.
 */
export function reachableTeams(principal: Principal): Prisma.TeamWhereInput {
  if (principal.personId === null) return { id: { in: [] } };
  const member: Prisma.TeamWhereInput = { members: { some: { personId: principal.personId } } };
  if (principal.kind === "owner") return member;
  return { ...member, sites: { every: { clients: { some: { clientId: principal.clientId } } } } };
}

/** A team that the caller may act on, and their role in it. */
export interface TeamAccess {
  id: number;
  name: string;
  role: Role;
  /** Its sites in order of their ids. */
  sites: readonly { id: number; domain: string }[];
}

/**
 * Returns the team if the principal may act on it now. In a transaction it stays locked, with its sites.
 *
 * @param least the minimum role
 * @throws Refusal `not_found` if there is none that the caller may act on, `role_denied` below the minimum role
 */
export async function teamFor(on: Db, principal: Principal, id: number, least: Role): Promise<TeamAccess> {
  if (id > LARGEST_ID) throw teamNotFound(id);
  await lockTeam(on, id);
  const team = await on.team.findFirst({
    where: { id, ...reachableTeams(principal) },
    include: {
      members: { where: { personId: principal.personId ?? -1 } },
      sites: { select: { id: true, domains: { where: { isPrimary: true } } }, orderBy: { id: "asc" } },
    },
  });
  const role = team?.members[0]?.role;
  if (!team || !role) throw teamNotFound(id);
  if (ROLES[role].rank < ROLES[least].rank) {
    throw new Refusal(
      "role_denied",
      `This needs the role ${least} in team ${id}; yours is ${role}. An owner of the team can change it.`,
    );
  }
  const sites = team.sites.map((site) => ({ id: site.id, domain: site.domains[0]?.host ?? `site ${site.id}` }));
  return { id, name: team.name, role, sites };
}

const teamNotFound = (id: number) =>
  new Refusal(
    "not_found",
    `You can act on no team ${id}. teams.list returns those you can: an agent also needs the consent to every site of the team.`,
  );

/** Returns the line of an approval that says where a role holds: who gives the team another site voids the approval. */
export const linesOfTeam = ({ name, sites }: TeamAccess): ChangeLine[] => [
  {
    label: `Sites of ${plainText(name)}, where it holds`,
    before: null,
    after: sites.map(({ domain }) => domain).join(", ") || "None yet",
  },
];

/** Who changes a team, when and in which request. */
export type TeamChange = Pick<Work<unknown, unknown>, "db" | "principal" | "now" | "requestId">;

/**
 * Lets a change of a team's members take effect on its sites: roles, revisions, which void open approvals, and an entry in
 * the log of each site.
 */
export async function reachSites(
  { db, principal, now, requestId }: TeamChange,
  team: Pick<TeamAccess, "id" | "name" | "sites">,
  entry: { operation: string; detail: Prisma.InputJsonObject },
): Promise<void> {
  const siteIds = team.sites.map(({ id }) => id);
  await applyTeamRoles(db, siteIds, now);
  for (const siteId of siteIds) await changeSite(db, siteId);
  const by = { personId: principal.personId, clientId: principal.kind === "client" ? principal.clientId : null };
  const detail = { ...entry.detail, team_id: team.id, team: team.name };
  const rows = siteIds.map((siteId) => ({ at: now, siteId, ...by, operation: entry.operation, requestId, detail }));
  await writeAudit(db, ...rows);
}
