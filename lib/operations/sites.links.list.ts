import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeShareLink, listShareLinks, shareLinkShape } from "@/lib/sites/share-links";

export default defineOperation({
  id: "sites.links.list",
  title: "List private links",
  about:
    "Lists the private links of a site, newest first: what each one shows, when it expires, when it was last used and how often. Expired links are listed until they are revoked.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ links: z.array(shareLinkShape) }),

  async run({ site, principal, db }) {
    return { links: (await listShareLinks(site.id, db)).map((link) => describeShareLink(link, principal)) };
  },
});
