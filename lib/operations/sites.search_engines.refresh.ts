import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { askForFetch, connectionShape, describeConnection, searchProvider } from "@/lib/search/connections";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.search_engines.refresh",
  title: msg("Fetch search data now"),
  about:
    "Fetches a connected provider now instead of the next night; then `fetched_at` of sites.search_engines.list changes. At most twice an hour, and not while the provider asks to wait. It has new numbers once a day, days late.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, provider: searchProvider }),
  example: { site_id: 1, provider: "google" },
  output: z.object({ connection: connectionShape }),

  async run({ input, ...work }) {
    await askForFetch(work, input.provider);
    return { connection: await describeConnection(work.db, work.site.id, input.provider) };
  },
});
