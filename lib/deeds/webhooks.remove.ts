import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { removeWebhook } from "@/lib/monitoring/webhooks";

export default defineDeed({
  id: "webhooks.remove",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId }),

  async run({ input, owner, requestId, now }) {
    await removeWebhook({ personId: owner.personId, siteId: input.site_id, requestId, now });
    return undefined;
  },
});
