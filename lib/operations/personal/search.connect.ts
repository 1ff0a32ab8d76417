import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { startConnecting } from "@/lib/search/connect";
import { searchProvider } from "@/lib/search/connections";

export default definePersonalOperation({
  id: "search.connect",
  // The consent at the provider is a proof of its own, and what is read stays with the site.
  freshMs: null,
  input: z.strictObject({ site_id: siteId, provider: searchProvider }),

  async run({ input, owner, now }) {
    return { url: await startConnecting(owner, input.site_id, input.provider, now) };
  },
});
