import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { personId, siteId } from "@/lib/contract/fields";
import { memberToChange, removeMember } from "@/lib/sites/members";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.members.remove",
  title: msg("Remove a member"),
  about:
    "Removes a member from the site and emails them. Their agents lose access to the site too. The last owner of a site cannot be removed.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  removesAccess: true,
  input: z.strictObject({
    site_id: siteId,
    person_id: personId.meta({ description: "The member's `person_id` from sites.members.list" }),
  }),
  example: { site_id: 1, person_id: 2 },
  output: z.object({ person_id: personId }),

  async summary({ input, site, db }) {
    const { label, role } = await memberToChange(db, site, input.person_id, null);
    return [
      { label: `Role of ${label}`, before: role, after: null },
      { label: "Their agents", before: "Have access to the site", after: "Lose access" },
    ];
  },

  async run({ input, ...work }) {
    await removeMember(work, input.person_id);
    return { person_id: input.person_id };
  },
});
