import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { defineOperation } from "@/lib/contract/define";
import { role, siteId } from "@/lib/contract/fields";
import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { describeInvitation, invitationShape, invitationToRenew, sendInvitation } from "@/lib/sites/invitations";

export default defineOperation({
  id: "sites.members.invite",
  title: "Invite a member",
  about:
    "Emails an invitation to join the site, which is valid for seven days. A further one to the same address replaces the one before. It is sent as the person behind the client, who may send 50 a day from a confirmed address.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  input: z.strictObject({
    site_id: siteId,
    email: emailAddress.meta({ description: "Who is invited", examples: ["ben@example.com"] }),
    role: role.meta({ description: "The role on the site once it is accepted" }),
  }),
  example: { site_id: 1, email: "ben@example.com", role: "viewer" },
  output: invitationShape,

  async summary({ input, ...work }) {
    const before = await invitationToRenew(work, input.email);
    return [{ label: `Invitation of ${input.email}`, before: before && inWords(before), after: inWords(input.role) }];
  },

  async run({ input, ...work }) {
    return describeInvitation(await sendInvitation(work, input));
  },
});

const inWords = (role: Role): string => `As ${role}, who ${ROLES[role].about}`;
