import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { startConnecting } from "@/lib/search/connect";

export default definePersonalOperation({
  id: "imports.connect",
  // The consent at Google is a proof of its own, and what is read stays with the site.
  freshMs: null,
  input: z.strictObject({ site_id: siteId }),

  async run({ input, owner, now }) {
    return { url: await startConnecting(owner, input.site_id, "google", now, "import") };
  },
});
