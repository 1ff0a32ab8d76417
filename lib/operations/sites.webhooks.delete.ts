import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteWebhook, hostOf, requireWebhook } from "@/lib/monitoring/webhooks";

export default defineOperation({
  id: "sites.webhooks.delete",
  title: "Remove the webhook",
  about:
    "Ends the webhook of a site: nothing is posted any more, messages that still wait are not sent, and the secret is gone. Incidents are noticed and emailed as before.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ site_id: siteId }),

  async summary({ site, db }) {
    return [{ label: "Webhook", before: hostOf((await requireWebhook(db, site.id)).url), after: null }];
  },

  async run(work) {
    await deleteWebhook(work);
    return { site_id: work.site.id };
  },
});
