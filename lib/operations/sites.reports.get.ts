import { z } from "zod";
import { manages } from "@/lib/contract/access";
import { defineOperation, requirePerson } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeRecipient, listRecipients, recipientShape } from "@/lib/sites/reports/recipients";
import { describeSubscriptions, subscriptionsShape } from "@/lib/sites/reports/subscriptions";

export default defineOperation({
  id: "sites.reports.get",
  title: "Read email reports",
  about:
    "Returns which email reports of a site you receive, and when; for an agent, the person it acts for. Managers also see the other addresses that receive reports.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: subscriptionsShape.extend({
    recipients: z
      .array(recipientShape)
      .nullable()
      .meta({ description: "Addresses beside the members; null for roles below manager" }),
  }),

  async run({ site, principal, db }) {
    const mine = await describeSubscriptions(db, site.id, requirePerson(principal));
    const recipients = manages(site.role) ? (await listRecipients(db, site.id)).map(describeRecipient) : null;
    return { ...mine, recipients };
  },
});
