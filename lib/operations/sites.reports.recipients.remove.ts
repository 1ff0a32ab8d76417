import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { recipientId, removeRecipient, requireRecipient } from "@/lib/sites/reports/recipients";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.reports.recipients.remove",
  title: msg("Remove a recipient of reports"),
  about: "Removes an address: it gets no more reports and alerts of the site. To add it again, it must confirm again.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: z.strictObject({ site_id: siteId, recipient_id: recipientId }),
  example: { site_id: 1, recipient_id: 3 },
  output: z.object({ removed: z.string().meta({ examples: ["team@example.com"] }) }),

  async summary({ input, site, db }) {
    const { email } = await requireRecipient(db, site.id, input.recipient_id);
    return [{ label: "Recipient of reports", before: email, after: null }];
  },

  async run({ input, ...work }) {
    return { removed: await removeRecipient(work, input.recipient_id) };
  },
});
