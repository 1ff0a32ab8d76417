import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { clientId, siteId } from "@/lib/contract/fields";
import { removeFromSite } from "@/lib/oauth/disconnect";

export default definePersonalOperation({
  id: "agents.remove_from_site",
  // Removing access must work at once, without a fresh sign-in.
  freshMs: null,
  input: z.strictObject({ client_id: clientId, site_id: siteId }),

  async run({ input, owner, requestId, now }) {
    await removeFromSite({ personId: owner.personId, clientId: input.client_id, requestId }, input.site_id, now);
    return {};
  },
});
