import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { aliasOf, aliasShape, deleteAlias, describeAlias, websiteId } from "@/lib/sites/aliases";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.aliases.delete",
  title: msg("Remove a website id"),
  about: "Removes a website id of another product from the site: events with it are refused. Stored events stay.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ site_id: siteId, alias: websiteId }),
  example: { site_id: 1, alias: "94db1cb1-74f4-4a40-ad6c-962362670409" },
  output: aliasShape,

  async summary({ input, site, db }) {
    const { alias } = await aliasOf(db, site.id, input.alias);
    return [{ label: `Events with the website id ${alias}`, before: "Counted", after: "Refused" }];
  },

  async run({ input, ...work }) {
    return describeAlias(await deleteAlias(work, input.alias));
  },

  audited: ({ data }) => data,
});
