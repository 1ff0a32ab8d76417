import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { pinSite } from "@/lib/sites/site-list";

export default definePersonalOperation({
  id: "sites.pin",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, pinned: z.boolean("must be true or false") }),

  async run({ input, owner }) {
    await pinSite(owner.personId, input.site_id, input.pinned);
    return {};
  },
});
