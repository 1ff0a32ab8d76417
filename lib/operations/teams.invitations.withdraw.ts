import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { invitationId, requireOpenInvitation, withdrawInvitation } from "@/lib/sites/invitations";
import { teamFor, teamId } from "@/lib/sites/team-access";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "teams.invitations.withdraw",
  title: msg("Withdraw an invitation to a team"),
  about: "Withdraws an open invitation to the team; its link stops working.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  input: z.strictObject({ team_id: teamId, invitation_id: invitationId }),
  example: { team_id: 3, invitation_id: 4 },
  output: z.object({ invitation_id: invitationId }),

  async summary({ input, principal, db, now }) {
    const { id } = await teamFor(db, principal, input.team_id, "owner");
    const { email, role } = await requireOpenInvitation(db, { teamId: id }, input.invitation_id, now);
    return [{ label: `Invitation for ${email}`, before: role, after: null }];
  },

  async run({ input, principal, db }) {
    const { id } = await teamFor(db, principal, input.team_id, "owner");
    await withdrawInvitation(db, { teamId: id }, input.invitation_id);
    return { invitation_id: input.invitation_id };
  },
});
