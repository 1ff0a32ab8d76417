import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { listTeams, teamShape } from "@/lib/sites/teams";

export default defineOperation({
  id: "teams.list",
  title: "List teams",
  about:
    "Lists your teams with their members, open invitations and sites. A role in a team holds on all its sites. An agent sees a team when the consent names every site of it.",
  scope: "members:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({}),
  example: {},
  output: z.object({ teams: z.array(teamShape) }),

  async run({ principal, db, now }) {
    return { teams: await listTeams(db, principal, now) };
  },
});
