import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { defineOperation } from "@/lib/contract/define";
import { role, siteId } from "@/lib/contract/fields";
import { invitationLine, sendInvitation, sentInvitationShape } from "@/lib/sites/invitations";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.members.invite",
  title: msg("Invite a member"),
  about:
    "Emails an invitation to join the site, valid for seven days. A new invitation to the same address replaces the previous one. It is sent in the name of the client's person, who needs a confirmed address and may send 50 a day.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  input: z.strictObject({
    site_id: siteId,
    email: emailAddress.meta({ description: "Email address of the invited person", examples: ["ben@example.com"] }),
    role: role.meta({ description: "Role on the site after acceptance" }),
  }),
  example: { site_id: 1, email: "ben@example.com", role: "viewer" },
  output: sentInvitationShape,

  async summary({ input, site, ...work }) {
    return [await invitationLine(work, { siteId: site.id }, input)];
  },

  async run({ input, site, ...work }) {
    return sendInvitation(work, { siteId: site.id }, input);
  },
});
