import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { aliasShape, describeAlias, listAliases } from "@/lib/sites/aliases";

export default defineOperation({
  id: "sites.aliases.list",
  title: "List website ids",
  about: "Lists the website ids of another product, such as Umami, whose events count in the site.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ aliases: z.array(aliasShape) }),

  async run({ site, db }) {
    return { aliases: (await listAliases(site.id, db)).map(describeAlias) };
  },
});
