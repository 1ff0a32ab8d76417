import { z } from "zod";
import { type Principal, requirePerson } from "@/lib/contract/define";
import { about, personId, role, siteId, untrusted } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { describeInvitation, invitationShape, listInvitations } from "@/lib/sites/invitations";
import { reachableTeams, type TeamAccess, teamId } from "@/lib/sites/team-access";

/** Teams: what they are, and how they begin and end. */

/** A person is in at most this many teams that they own. */
const OWNED_TEAMS = 50;

export const teamShape = z
  .object({
    team_id: teamId,
    name: untrusted.meta({ examples: ["Acme"] }),
    role: role.meta({ description: "Your role in the team, and at least the one on each of its sites" }),
    members: z
      .array(
        z
          .object({
            person_id: personId,
            email: z.string().meta({ examples: ["ann@example.com"] }),
            name: untrusted.nullable().meta({ examples: ["Ann"] }),
            role,
            since: z.iso.datetime().meta({ description: "When the person joined the team" }),
          })
          .meta({ id: "TeamMember" }),
      )
      .meta({ description: "Owners first" }),
    invitations: z.array(invitationShape).meta({ description: "Open invitations to the team" }),
    sites: z
      .array(z.object({ site_id: siteId, domain: z.string().meta({ examples: ["example.com"] }) }))
      .meta({ description: "The sites of the team, oldest first" }),
    created_at: about(z.iso.datetime(), "When the team was made"),
  })
  .meta({ id: "Team" });
export type TeamShape = z.input<typeof teamShape>;

/** Lists the teams that a principal may act on, oldest first. */
export async function listTeams(on: Db, principal: Principal, now: Date): Promise<TeamShape[]> {
  const rows = await on.team.findMany({
    where: reachableTeams(principal),
    orderBy: { id: "asc" },
    include: {
      members: {
        include: { person: { select: { email: true, name: true } } },
        // The enum is ordered viewer, manager, owner.
        orderBy: [{ role: "desc" }, { createdAt: "asc" }, { personId: "asc" }],
      },
      sites: { select: { id: true, domains: { where: { isPrimary: true } } }, orderBy: { id: "asc" } },
    },
  });
  return Promise.all(
    rows.map(async (team) => ({
      team_id: team.id,
      name: team.name,
      role: team.members.find((member) => member.personId === principal.personId)?.role ?? "viewer",
      members: team.members.map((member) => ({
        person_id: member.personId,
        ...member.person,
        role: member.role,
        since: member.createdAt.toISOString(),
      })),
      invitations: (await listInvitations({ teamId: team.id }, now, on)).map(describeInvitation),
      sites: team.sites.map((site) => ({ site_id: site.id, domain: site.domains[0]?.host ?? "" })),
      created_at: team.createdAt.toISOString(),
    })),
  );
}

/** Makes a team whose owner is the caller. @returns its id @throws Refusal `role_denied` beyond the limit of a person */
export async function createTeam(tx: Db, principal: Principal, name: string, now: Date): Promise<number> {
  const owner = requirePerson(principal);
  await lockRow(tx, "person", owner);
  if ((await tx.teamMember.count({ where: { personId: owner, role: "owner" } })) >= OWNED_TEAMS) {
    throw new Refusal(
      "role_denied",
      `You own ${OWNED_TEAMS} teams, the limit per account. Delete one that has no sites.`,
    );
  }
  const members = { create: { personId: owner, role: "owner" as const, createdAt: now } };
  return (await tx.team.create({ data: { name, createdAt: now, members } })).id;
}

/** Requires that a team can be deleted. @throws Refusal `role_denied` while it has sites */
export function requireNoSites({ sites }: TeamAccess): void {
  if (sites.length === 0) return;
  const some = sites.slice(0, 3).map(({ domain }) => domain);
  const more = sites.length > some.length ? ` and ${sites.length - some.length} more` : "";
  throw new Refusal(
    "role_denied",
    `The team has ${some.join(", ")}${more}. Take its sites out with sites.team.set first.`,
  );
}
