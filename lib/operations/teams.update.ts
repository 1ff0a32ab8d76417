import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { teamFor, teamId, teamName } from "@/lib/sites/team-access";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.update",
  title: msg("Rename a team"),
  about: "Changes the name of a team.",
  scope: "teams:write",
  role: "owner",
  risk: "write",
  input: z.strictObject({ team_id: teamId, name: teamName }),
  example: { team_id: 3, name: "Acme" },
  output: z.object({ team_id: teamId, name: teamName }),

  async run({ input, principal, db }) {
    const { id } = await teamFor(db, principal, input.team_id, "owner");
    await db.team.updateMany({ where: { id }, data: { name: input.name } });
    return { team_id: id, name: input.name };
  },
});
