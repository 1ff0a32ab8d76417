import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { addAlias, aliasShape, describeAlias, websiteId } from "@/lib/sites/aliases";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.aliases.set",
  title: msg("Map a website id"),
  about:
    "Lets events with a website id of another product, such as Umami, count in the site, within ten seconds. Their pages must still be on a domain of the site. One id belongs to one site.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, alias: websiteId }),
  example: { site_id: 1, alias: "94db1cb1-74f4-4a40-ad6c-962362670409" },
  output: aliasShape,

  async run({ input, ...work }) {
    return describeAlias(await addAlias(work, input.alias));
  },

  audited: ({ data }) => data,
});
