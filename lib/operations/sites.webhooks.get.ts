import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeWebhook, readWebhook, webhookShape } from "@/lib/monitoring/webhooks";

export default defineOperation({
  id: "sites.webhooks.get",
  title: "See the webhook",
  about:
    "Answers where the incidents of a site are posted to, and what became of the latest messages. The address is answered by its host alone, because the rest of it is often a secret.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ webhook: webhookShape.nullable().meta({ description: "Null when the site has none" }) }),

  async run({ site, db, now }) {
    const known = await readWebhook(site.id, now, db);
    return { webhook: known && describeWebhook(known) };
  },
});
