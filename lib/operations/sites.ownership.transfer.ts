import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { personId, siteId, siteShape } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";
import { planTransfer, transferSite } from "@/lib/sites/people";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.ownership.transfer",
  title: msg("Transfer a site"),
  about:
    "Makes another member the owner of the site; you become a manager. sites.settings.get returns the ids of members to a token with sites:read and teams:write. Returns the site with your new role.",
  scope: "teams:write",
  role: "owner",
  risk: "access",
  removesAccess: true,
  input: z.strictObject({
    new_owner_id: personId.meta({
      description: "The new owner: a `person_id` from `members` of sites.settings.get",
    }),
    site_id: siteId,
  }),
  example: { new_owner_id: 2, site_id: 1 },
  output: siteShape,

  async summary({ input, site, principal, db }) {
    const { newOwner, oldOwner } = await planTransfer(db, site.id, principal.personId, input.new_owner_id);
    return [
      { label: "New owner", before: oldOwner?.label ?? null, after: newOwner.label },
      ...(oldOwner ? [{ label: `Role of ${oldOwner.label}`, before: "Owner", after: "Manager" }] : []),
    ];
  },

  async run({ input, site, principal, db, now }) {
    const transfer = await planTransfer(db, site.id, principal.personId, input.new_owner_id);
    await transferSite(db, site.id, transfer, now);
    return describeSite(db, site.id, principal);
  },
});
