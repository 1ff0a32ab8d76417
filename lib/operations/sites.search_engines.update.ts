import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import {
  chooseProperty,
  connectionShape,
  describeConnection,
  requireConnection,
  searchProvider,
} from "@/lib/search/connections";
import { SEARCH_PROVIDERS } from "@/lib/search/providers";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.search_engines.update",
  title: msg("Choose the property of a search engine"),
  about:
    "Reads another property of the connected account for the site: one of `properties` of sites.search_engines.list. The numbers of the property before are deleted, and those of the new one are fetched.",
  scope: "sites:write",
  role: "owner",
  risk: "configuration",
  input: z.strictObject({
    site_id: siteId,
    provider: searchProvider,
    property: z
      .string("must be a property from sites.search_engines.list")
      .min(1, "must be a property from sites.search_engines.list")
      .max(2048, "must have at most 2048 characters")
      .meta({ description: "What the provider calls the site", examples: ["https://www.example.com/"] }),
  }),
  example: { site_id: 1, provider: "google", property: "https://www.example.com/" },
  output: z.object({ connection: connectionShape }),

  async summary({ input, site, db }) {
    const { property } = await requireConnection(db, site.id, input.provider);
    const label = `Property at ${SEARCH_PROVIDERS[input.provider].name}`;
    return [{ label, before: property, after: input.property }];
  },

  async run({ input, ...work }) {
    await chooseProperty(work, input.provider, input.property);
    return { connection: await describeConnection(work.db, work.site.id, input.provider) };
  },
});
