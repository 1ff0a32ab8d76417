import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { hostOf, maskedAddress, setWebhook, webhookUrl } from "@/lib/monitoring/webhooks";

export default defineOperation({
  id: "sites.webhooks.set",
  title: "Set the webhook",
  about:
    "Sets the https URL to which incidents of the site are posted, signed according to Standard Webhooks; see /docs/webhooks. The first call creates a signing secret and returns it only once; a new URL keeps the secret.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId, url: webhookUrl }),
  example: { site_id: 1, url: "https://alerts.example.com/footfall" },
  output: z.object({
    host: z.string(),
    secret: z
      .string()
      .nullable()
      .meta({ description: "The signing secret, returned only once; null if the site has one already" }),
  }),

  async summary({ input, site, db }) {
    const known = await db.webhook.findUnique({ where: { siteId: site.id }, select: { url: true } });
    return [
      { label: "Webhook", before: known && maskedAddress(known.url), after: maskedAddress(input.url) },
      { label: "Signing secret", before: known ? "Set" : null, after: known ? "Set" : "New secret" },
    ];
  },

  async run({ input, ...work }) {
    const { secret } = await setWebhook(work, input.url);
    return { host: hostOf(input.url), secret };
  },

  // The rest of the URL is often a secret, and the audit log outlives the webhook and the site.
  audited: ({ data: { host } }) => ({ host }),
});
