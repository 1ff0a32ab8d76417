import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeWebhook, readWebhook, webhookShape } from "@/lib/monitoring/webhooks";

export default defineOperation({
  id: "sites.webhooks.get",
  title: "Read the webhook",
  about:
    "Returns where the incidents of a site are posted, and the outcome of the latest messages. Agents get only the host of the URL, because the rest is often a secret.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ webhook: webhookShape.nullable().meta({ description: "Null if the site has no webhook" }) }),

  async run({ site, principal, db, now }) {
    const known = await readWebhook(site.id, now, db);
    return { webhook: known && describeWebhook(known, principal) };
  },
});
