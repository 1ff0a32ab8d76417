import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { requireWebhook, rotateSecret } from "@/lib/monitoring/webhooks";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.webhooks.rotate",
  title: msg("Rotate the webhook's secret"),
  about:
    "Creates a new secret for signing webhook messages. For 24 hours messages are signed with the old one too, so that the receiver can switch without a gap. Only this answer has the secret, and its replays for 72 hours.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    secret: about(z.string(), "The new signing secret", "whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29r"),
    previous_secret_valid_until: z.iso.datetime().meta({ examples: ["2026-11-21T09:30:00Z"] }),
  }),

  async summary({ site, db }) {
    await requireWebhook(db, site.id);
    return [{ label: "Signing secret", before: "Set", after: "New secret; the old one signs for 24 more hours" }];
  },

  async run(work) {
    const { secret, previousUntil } = await rotateSecret(work);
    return { secret, previous_secret_valid_until: previousUntil.toISOString() };
  },
});
