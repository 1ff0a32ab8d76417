import { type Principal, requirePerson, type SiteAccess } from "@/lib/contract/define";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { applyTeamRoles, raiseOwnRole } from "@/lib/sites/roles";
import { requireRoomForSites } from "@/lib/sites/site-limits";
import { type TeamAccess, teamFor } from "@/lib/sites/team-access";

/** Which team a site belongs to: at most one. */

interface Move {
  /** The team of now; null without one. */
  from: { id: number; name: string } | null;
  /** The team that gets the site; null to take it out. */
  to: TeamAccess | null;
}

/**
 * Checks that a site can be given to a team, or taken out of its team with `null`. The caller must own the site.
 *
 * @throws Refusal `not_found` or `role_denied` if the caller does not own the team, `invalid_input` at `team_id` if the site
 *   is there already, or an owner of the team has no room for it
 */
export async function planMove(on: Db, principal: Principal, site: SiteAccess, to: number | null): Promise<Move> {
  requirePerson(principal);
  const { team: from } = await on.site.findUniqueOrThrow({ where: { id: site.id }, select: { team: true } });
  if ((from?.id ?? null) === to) {
    const message =
      to === null ? "must be the id of a team: the site is in none" : "must be another team: the site is in it";
    throw invalidInput([{ path: "team_id", message }]);
  }
  if (to === null) return { from, to };
  const team = await teamFor(on, principal, to, "owner");
  const owners = await on.teamMember.findMany({ where: { teamId: to, role: "owner" }, orderBy: { personId: "asc" } });
  for (const { personId } of owners) await requireRoomForSites(on, personId, [site.id], "team_id");
  return { from, to: team };
}

/** Moves a site. Who takes it out of a team stays its owner: the team no longer gives it one. @throws Refusal see `planMove` */
export async function moveSite(
  tx: Db,
  principal: Principal,
  site: SiteAccess,
  to: number | null,
  now: Date,
): Promise<void> {
  const move = await planMove(tx, principal, site, to);
  await tx.site.updateMany({ where: { id: site.id }, data: { teamId: to } });
  if (move.from) await raiseOwnRole(tx, site.id, requirePerson(principal), "owner", now);
  await applyTeamRoles(tx, [site.id], now);
  await changeSite(tx, site.id);
}

/** Returns how a team is called in lines that people approve. */
export const labelOfTeam = (team: { id: number; name: string } | null): string | null =>
  team && `${plainText(team.name)}, ID ${team.id}`;

/** Returns what the people of a team get on a site, for the person who approves: `2 owners, 1 viewer`. */
export async function gainOf(on: Db, teamId: number): Promise<string> {
  const rows = await on.teamMember.groupBy({
    by: ["role"],
    where: { teamId },
    _count: true,
    orderBy: { role: "desc" },
  });
  return rows.map(({ role, _count: people }) => `${people} ${role}${people === 1 ? "" : "s"}`).join(", ");
}
