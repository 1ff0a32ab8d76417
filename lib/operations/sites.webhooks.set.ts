import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { hostOf, maskedAddress, setWebhook, webhookUrl } from "@/lib/monitoring/webhooks";

export default defineOperation({
  id: "sites.webhooks.set",
  title: "Set the webhook",
  about:
    "Posts the site's incidents to an https address, signed as Standard Webhooks says; /docs/webhooks shows how to check it. The first time a signing secret is made and shown once, in the answer; a new address keeps the secret.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId, url: webhookUrl }),
  example: { site_id: 1, url: "https://alerts.example.com/footfall" },
  output: z.object({
    host: z.string(),
    secret: z.string().nullable().meta({ description: "The signing secret, shown this once; null when it is kept" }),
  }),

  async summary({ input, site, db }) {
    const known = await db.webhook.findUnique({ where: { siteId: site.id }, select: { url: true } });
    return [
      { label: "Webhook", before: known && maskedAddress(known.url), after: maskedAddress(input.url) },
      { label: "Signing secret", before: known ? "Set" : null, after: known ? "Set" : "A new one" },
    ];
  },

  async run({ input, ...work }) {
    const { secret } = await setWebhook(work, input.url);
    return { host: hostOf(input.url), secret };
  },

  // The rest of an address is often a secret itself, and the audit outlives webhook and site.
  audited: ({ data: { host } }) => ({ host }),
});
