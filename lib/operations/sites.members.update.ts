import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { personId, role, siteId } from "@/lib/contract/fields";
import { changeRole, memberToChange } from "@/lib/sites/members";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.members.update",
  title: msg("Change a member's role"),
  about: "Changes the role of a member of the site and emails them. The last owner of a site cannot lose that role.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  removesAccess: true,
  input: z.strictObject({
    site_id: siteId,
    person_id: personId.meta({ description: "The member's `person_id` from sites.members.list" }),
    role: role.meta({ description: "The new role" }),
  }),
  example: { site_id: 1, person_id: 2, role: "manager" },
  output: z.object({ person_id: personId, role }),

  async summary({ input, site, db }) {
    const { label, role: before } = await memberToChange(db, site, input.person_id, input.role);
    return [{ label: `Role of ${label}`, before, after: input.role }];
  },

  async run({ input, ...work }) {
    await changeRole(work, input.person_id, input.role);
    return { person_id: input.person_id, role: input.role };
  },
});
