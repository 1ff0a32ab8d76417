import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteWebhook, hostOf, requireWebhook } from "@/lib/monitoring/webhooks";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.webhooks.delete",
  title: msg("Delete the webhook"),
  about:
    "Deletes the webhook of a site with its secret. Pending messages are not sent. Incidents are still detected and emailed.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ site_id: siteId }),

  async summary({ site, db }) {
    return [{ label: "Webhook URL", before: hostOf((await requireWebhook(db, site.id)).url), after: null }];
  },

  async run(work) {
    await deleteWebhook(work);
    return { site_id: work.site.id };
  },
});
