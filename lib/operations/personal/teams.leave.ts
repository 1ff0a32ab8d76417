import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { teamId } from "@/lib/sites/team-access";
import { leaveTeam } from "@/lib/sites/team-members";

export default definePersonalOperation({
  id: "teams.leave",
  freshMs: null,
  input: z.strictObject({ team_id: teamId }),

  async run({ input, owner, requestId, now }) {
    await leaveTeam({ teamId: input.team_id, personId: owner.personId, requestId, now });
    return {};
  },
});
