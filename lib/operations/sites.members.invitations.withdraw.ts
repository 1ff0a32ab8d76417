import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { invitationId, requireOpenInvitation, withdrawInvitation } from "@/lib/sites/invitations";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.members.invitations.withdraw",
  title: msg("Withdraw an invitation"),
  about: "Withdraws an open invitation to the site; its link stops working.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  input: z.strictObject({ site_id: siteId, invitation_id: invitationId }),
  example: { site_id: 1, invitation_id: 1 },
  output: z.object({ invitation_id: invitationId }),

  async summary({ input, site, db, now }) {
    const { email, role } = await requireOpenInvitation(db, { siteId: site.id }, input.invitation_id, now);
    return [{ label: `Invitation for ${email}`, before: role, after: null }];
  },

  async run({ input, site, db }) {
    await withdrawInvitation(db, { siteId: site.id }, input.invitation_id);
    return { invitation_id: input.invitation_id };
  },
});
