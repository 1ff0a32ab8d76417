import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";

/** What people are members of: a site, or a team, whose roles hold on all its sites. */
export type Place = { siteId: number; teamId?: undefined } | { teamId: number; siteId?: undefined };

/** Returns the columns of rows that belong to a place. */
export const placeKey = ({ siteId, teamId }: Place) => (siteId === undefined ? { teamId } : { siteId });

/** Returns a filter for the people who own a place. */
export const ownersOf = ({ siteId, teamId }: Place): Prisma.PersonWhereInput =>
  siteId === undefined
    ? { teams: { some: { teamId, role: "owner" } } }
    : { memberships: { some: { siteId, role: "owner" } } };

/** Returns the name of a team; null if there is none with this id. */
export async function teamNameOf(on: Db, teamId: number): Promise<string | null> {
  const team = teamId <= LARGEST_ID && (await on.team.findUnique({ where: { id: teamId }, select: { name: true } }));
  return team ? team.name : null;
}
