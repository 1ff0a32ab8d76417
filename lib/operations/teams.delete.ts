import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { teamFor, teamId } from "@/lib/sites/team-access";
import { requireNoSites } from "@/lib/sites/teams";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.delete",
  title: msg("Delete a team"),
  about: "Deletes a team without sites, with its open invitations. sites.team.set takes sites out of it.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  removesAccess: true,
  input: z.strictObject({ team_id: teamId }),
  example: { team_id: 3 },
  output: z.object({ team_id: teamId }),

  async summary({ input, principal, db }) {
    const team = await teamFor(db, principal, input.team_id, "owner");
    requireNoSites(team);
    return [{ label: "Team", before: team.name, after: null }];
  },

  async run({ input, principal, db }) {
    const team = await teamFor(db, principal, input.team_id, "owner");
    requireNoSites(team);
    await db.team.deleteMany({ where: { id: team.id } });
    return { team_id: team.id };
  },
});
