import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { disconnect, requireConnection, searchProvider } from "@/lib/search/connections";
import { SEARCH_PROVIDERS } from "@/lib/search/providers";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.search_engines.disconnect",
  title: msg("Disconnect a search engine"),
  about:
    "Ends the connection of a site to a provider. The consent is deleted here and revoked at Google, unless the same person has connected another site; at Microsoft only the person can revoke it.",
  scope: "sites:write",
  role: "owner",
  risk: "destructive",
  input: z.strictObject({
    site_id: siteId,
    provider: searchProvider,
    numbers: z.enum(["keep", "delete"], "must be keep or delete").meta({
      description: "keep: what was fetched stays in reports; delete: it is deleted. A provider may no longer have it",
    }),
  }),
  example: { site_id: 1, provider: "google", numbers: "keep" },
  output: z.object({
    site_id: siteId,
    provider: searchProvider,
    consents_url: about(
      z.url(),
      "Where the person who connected it sees and takes back their consents",
      SEARCH_PROVIDERS.google.consents,
    ),
  }),

  async summary({ input, site, db }) {
    const { property } = await requireConnection(db, site.id, input.provider);
    return [
      { label: SEARCH_PROVIDERS[input.provider].name, before: property, after: null },
      { label: "Fetched numbers", before: "Kept", after: input.numbers === "keep" ? "Kept" : "Deleted" },
    ];
  },

  async run({ input, ...work }) {
    await disconnect(work, input.provider, input.numbers === "keep");
    const { consents } = SEARCH_PROVIDERS[input.provider];
    return { site_id: work.site.id, provider: input.provider, consents_url: consents };
  },
});
