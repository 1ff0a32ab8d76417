import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { defineOperation } from "@/lib/contract/define";
import { role } from "@/lib/contract/fields";
import { invitationLine, sendInvitation, sentInvitationShape } from "@/lib/sites/invitations";
import { linesOfTeam, teamFor, teamId } from "@/lib/sites/team-access";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.members.invite",
  title: msg("Invite someone to a team"),
  about:
    "Emails an invitation to join the team, valid for seven days. The role holds on all sites of the team. Otherwise like sites.members.invite.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  input: z.strictObject({
    team_id: teamId,
    email: emailAddress.meta({ description: "Email address of the invited person", examples: ["ben@example.com"] }),
    role: role.meta({ description: "Role on all sites of the team after acceptance" }),
  }),
  example: { team_id: 3, email: "ben@example.com", role: "viewer" },
  output: sentInvitationShape,

  async summary({ input, ...work }) {
    const team = await teamFor(work.db, work.principal, input.team_id, "owner");
    return [await invitationLine(work, { teamId: team.id }, input), ...linesOfTeam(team)];
  },

  async run({ input, ...work }) {
    const team = await teamFor(work.db, work.principal, input.team_id, "owner");
    return sendInvitation(work, { teamId: team.id }, input);
  },
});
