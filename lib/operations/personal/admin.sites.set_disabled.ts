import { z } from "zod";
import { setSiteDisabled } from "@/lib/admin/change-sites";
import { requireAdministrator } from "@/lib/auth/administrators";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";

export default definePersonalOperation({
  id: "admin.sites.set_disabled",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId, disabled: z.boolean("must be true or false") }),

  async run({ input, ...by }) {
    requireAdministrator(by.owner);
    await setSiteDisabled(by, input.site_id, input.disabled);
    return {};
  },
});
