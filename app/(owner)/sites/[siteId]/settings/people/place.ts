/** What people are members of, for the parts of pages that show them: a site, or a team whose roles hold on all its sites. */
export type Place = { name: string } & ({ site_id: number } | { team_id: number });

const OF_SITE = {
  invite: "sites.members.invite",
  withdraw: "sites.members.invitations.withdraw",
  update: "sites.members.update",
  remove: "sites.members.remove",
  leave: "members.leave",
} as const;
const OF_TEAM = {
  invite: "teams.members.invite",
  withdraw: "teams.invitations.withdraw",
  update: "teams.members.update",
  remove: "teams.members.remove",
  leave: "teams.leave",
} as const;

/** Returns the operations on the members of a place. */
export const operationsOf = (place: Place) => ("team_id" in place ? OF_TEAM : OF_SITE);

/** Returns the id of a place as its operations take it. */
export const placeId = (place: Place) => ("team_id" in place ? { team_id: place.team_id } : { site_id: place.site_id });
