import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { teamId, teamName } from "@/lib/sites/team-access";
import { createTeam } from "@/lib/sites/teams";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.create",
  title: msg("Make a team"),
  about: "Makes a team without sites, whose owner you are. sites.team.set gives it sites, teams.members.invite people.",
  scope: "teams:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({ name: teamName }),
  example: { name: "Acme" },
  output: z.object({ team_id: teamId, name: teamName }),
  audited: ({ input, data }) => ({ ...input, team_id: data.team_id }),

  async run({ input, principal, db, now }) {
    return { team_id: await createTeam(db, principal, input.name, now), name: input.name };
  },
});
