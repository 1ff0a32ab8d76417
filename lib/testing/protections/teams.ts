import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const TESTS = "lib/sites/teams.test.ts";

/** Teams and the combined report. */
export const TEAMS: readonly (Protection | Exempt)[] = [
  {
    case: 306,
    file: "lib/sites/roles.ts",
    find: "if (ownRole === null) await endMembership(tx, siteId, personId);",
    replace: "if (ownRole === null) continue;",
    test: { file: TESTS, title: "who is removed from a team loses its sites at once" },
  },
  {
    case: 307,
    file: "lib/sites/team-members.ts",
    find: "if ((await on.teamMember.count({ where: others })) > 0) return;",
    replace: "if (others) return;",
    test: { file: TESTS, title: "a team keeps an owner" },
  },
  {
    case: 308,
    file: "lib/sites/team-access.ts",
    find: "return { ...member, sites: { every: { clients: { some: { clientId: principal.clientId } } } } };",
    replace: "return member;",
    test: { file: TESTS, title: "an agent acts on a team with a consent for each of its sites" },
  },
  {
    case: 309,
    file: "lib/sites/team-sites.ts",
    find: 'const team = await teamFor(on, principal, to, "owner");',
    replace: 'const team = await teamFor(on, principal, to, "viewer");',
    test: { file: TESTS, title: "a site goes into a team by an owner of both" },
  },
  {
    case: 310,
    file: "lib/sites/members.ts",
    find: "if (teamRole && isOfTeam) throw await givenByTeam(on, site.id);",
    replace: "",
    test: { file: TESTS, title: "a role that a team gives is neither lowered nor taken on the site" },
  },
  { case: 311, because: "the invitation is read again under the lock of the team, which its sender must own too" },
  {
    case: 312,
    file: "lib/sites/team-members.ts",
    find: 'else await requireRoomForSites(on, personId, siteIdsOf(team), "person_id");',
    replace: "",
    test: { file: "lib/sites/site-limits.test.ts", title: "the sites of a team count towards the limit" },
  },
  {
    case: 313,
    file: "lib/sites/team-access.ts",
    find: 'after: sites.map(({ domain }) => domain).join(", ") || "None yet",',
    replace: "after: null,",
    test: { file: TESTS, title: "an agent acts on a team with a consent for each of its sites" },
  },
  { case: 314, because: "a foreign team is not found, and has no role of the caller; the gateway asks for the proof" },
  { case: 315, because: "the list of sites and the access to each of them are checked one after the other" },
];
