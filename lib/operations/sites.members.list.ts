import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeInvitation, invitationShape, listInvitations } from "@/lib/sites/invitations";
import { describeMember, listMembers, memberShape } from "@/lib/sites/members";

export default defineOperation({
  id: "sites.members.list",
  title: "List members",
  about: "Lists the members of a site, owners first, and its open invitations.",
  scope: "members:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ members: z.array(memberShape), invitations: z.array(invitationShape) }),

  async run({ site, db, now }) {
    return {
      members: (await listMembers(site.id, db)).map(describeMember),
      invitations: (await listInvitations({ siteId: site.id }, now, db)).map(describeInvitation),
    };
  },
});
