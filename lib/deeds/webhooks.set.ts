import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { setWebhook, webhookUrl } from "@/lib/monitoring/webhooks";

export default defineDeed({
  id: "webhooks.set",
  freshMs: FRESH_MS,
  input: z.strictObject({
    site_id: siteId,
    url: z.string("must be an address that begins with https://").trim().max(2048, "must have at most 2048 characters"),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return setWebhook(by, webhookUrl(input.url));
  },
});
