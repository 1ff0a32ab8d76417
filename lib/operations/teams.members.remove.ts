import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { personId } from "@/lib/contract/fields";
import { linesOfTeam, teamFor, teamId } from "@/lib/sites/team-access";
import { changeTeamMember, teamMemberToChange } from "@/lib/sites/team-members";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.members.remove",
  title: msg("Remove someone from a team"),
  about:
    "Removes a member from the team and emails them. They and their agents lose the sites of the team at once, except those that give them a role themselves. The last owner cannot be removed.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  removesAccess: true,
  input: z.strictObject({
    team_id: teamId,
    person_id: personId.meta({ description: "The member's `person_id` from teams.list" }),
  }),
  example: { team_id: 3, person_id: 2 },
  output: z.object({ person_id: personId }),

  async summary({ input, principal, db }) {
    const team = await teamFor(db, principal, input.team_id, "owner");
    const { label, role } = await teamMemberToChange(db, team, input.person_id, null);
    return [{ label: `Role of ${label}`, before: role, after: null }, ...linesOfTeam(team)];
  },

  async run({ input, ...work }) {
    const team = await teamFor(work.db, work.principal, input.team_id, "owner");
    await changeTeamMember(work, team, { personId: input.person_id, role: null });
    return { person_id: input.person_id };
  },
});
