import { z } from "zod";
import { defineOperation, requirePerson } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeSubscriptions, subscriptionsShape } from "@/lib/sites/reports/subscriptions";

export default defineOperation({
  id: "sites.reports.get",
  title: "Read email reports",
  about: "Returns which email reports of a site you receive; for an agent, the person it acts for.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: subscriptionsShape,

  async run({ site, principal, db }) {
    return describeSubscriptions(db, site.id, requirePerson(principal));
  },
});
