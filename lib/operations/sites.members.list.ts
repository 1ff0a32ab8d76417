import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, untrusted } from "@/lib/contract/fields";
import { describeInvitation, invitationShape, listInvitations } from "@/lib/sites/invitations";
import { describeMember, listMembers, memberShape } from "@/lib/sites/members";
import { teamId } from "@/lib/sites/team-access";

export default defineOperation({
  id: "sites.members.list",
  title: "List members",
  about: "Lists the members of a site, owners first, its open invitations, and the team that it belongs to.",
  scope: "members:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    members: z.array(memberShape),
    invitations: z.array(invitationShape),
    team: z
      .object({ team_id: teamId, name: untrusted.meta({ examples: ["Acme"] }) })
      .nullable()
      .meta({ description: "The team of the site, whose members are among these; null without one" }),
  }),

  async run({ site, db, now }) {
    const { team } = await db.site.findUniqueOrThrow({ where: { id: site.id }, select: { team: true } });
    return {
      team: team && { team_id: team.id, name: team.name },
      members: (await listMembers(site.id, db)).map(describeMember),
      invitations: (await listInvitations({ siteId: site.id }, now, db)).map(describeInvitation),
    };
  },
});
