import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { personId, role } from "@/lib/contract/fields";
import { linesOfTeam, teamFor, teamId } from "@/lib/sites/team-access";
import { changeTeamMember, teamMemberToChange } from "@/lib/sites/team-members";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.members.update",
  title: msg("Change a role in a team"),
  about:
    "Changes the role of a member of the team, on all its sites at once, and emails them. A higher role that a site itself gives stays. The last owner of a team cannot lose that role.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  removesAccess: true,
  input: z.strictObject({
    team_id: teamId,
    person_id: personId.meta({ description: "The member's `person_id` from teams.list" }),
    role: role.meta({ description: "The new role" }),
  }),
  example: { team_id: 3, person_id: 2, role: "manager" },
  output: z.object({ person_id: personId, role }),

  async summary({ input, principal, db }) {
    const team = await teamFor(db, principal, input.team_id, "owner");
    const { label, role: before } = await teamMemberToChange(db, team, input.person_id, input.role);
    return [{ label: `Role of ${label}`, before, after: input.role }, ...linesOfTeam(team)];
  },

  async run({ input, ...work }) {
    const team = await teamFor(work.db, work.principal, input.team_id, "owner");
    await changeTeamMember(work, team, { personId: input.person_id, role: input.role });
    return { person_id: input.person_id, role: input.role };
  },
});
