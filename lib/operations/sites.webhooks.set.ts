import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { hostOf, maskedAddress, setWebhook, webhookUrl } from "@/lib/monitoring/webhooks";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.webhooks.set",
  title: msg("Set the webhook"),
  about:
    "Sets the https URL to which incidents and alerts of the site are posted, signed by Standard Webhooks; see /docs/webhooks. The first call creates a signing secret, which only its answer has, and its replays for 72 hours; a new URL keeps it.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId, url: webhookUrl }),
  example: { site_id: 1, url: "https://alerts.example.com/footfall" },
  output: z.object({
    host: z.string().meta({ examples: ["alerts.example.com"] }),
    secret: about(
      z.string().nullable(),
      "The signing secret; null if the site has one already",
      "whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29r",
    ),
  }),

  async summary({ input, site, db }) {
    const known = await db.webhook.findUnique({ where: { siteId: site.id }, select: { url: true } });
    return [
      { label: "Webhook URL", before: known && maskedAddress(known.url), after: maskedAddress(input.url) },
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
