import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { teamId } from "@/lib/sites/team-access";
import { gainOf, labelOfTeam, moveSite, planMove } from "@/lib/sites/team-sites";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.team.set",
  title: msg("Move a site to a team"),
  about:
    "Gives the site to a team that you own, whose members get their roles on it, or takes it out of its team with null: then they lose them, and you stay its owner. A site is in one team at most.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  input: z.strictObject({
    site_id: siteId,
    team_id: teamId.nullable().meta({ description: "The new team; null: none" }),
  }),
  example: { site_id: 1, team_id: 3 },
  output: z.object({ site_id: siteId, team_id: teamId.nullable() }),

  async summary({ input, site, principal, db }) {
    const { from, to } = await planMove(db, principal, site, input.team_id);
    const lines = [{ label: "Team", before: labelOfTeam(from), after: labelOfTeam(to) }];
    if (from) lines.push({ label: `Access by ${from.name}`, before: await gainOf(db, from.id), after: null });
    if (to) lines.push({ label: `Access by ${to.name}`, before: null, after: await gainOf(db, to.id) });
    return lines;
  },

  async run({ input, site, principal, db, now }) {
    await moveSite(db, principal, site, input.team_id, now);
    return { site_id: site.id, team_id: input.team_id };
  },
});
