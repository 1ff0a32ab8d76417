import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { revocableLink, revokeShareLink, shareLinkId } from "@/lib/sites/share-links";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.links.revoke",
  title: msg("Revoke a private link"),
  about:
    "Revokes a private link and removes it from the list: its pages, embeds and downloads show nothing from the next request on. A link that was revoked cannot be restored.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: z.strictObject({ site_id: siteId, link_id: shareLinkId }),
  example: { site_id: 1, link_id: 3 },
  output: z.object({ link_id: shareLinkId }),

  async summary({ input, ...work }) {
    return [{ label: "Private link", before: (await revocableLink(work, input.link_id)).name, after: null }];
  },

  async run({ input, ...work }) {
    await revokeShareLink(work, input.link_id);
    return { link_id: input.link_id };
  },
});
