import { z } from "zod";
import { alertShape, describeRule, listAlerts, listRules, ruleShape } from "@/lib/alerts/rules";
import { manages } from "@/lib/contract/access";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";

export default defineOperation({
  id: "sites.alerts.list",
  title: "List alert rules",
  about:
    "Returns the alert rules of a site by name, and its latest 50 alerts, newest first. Alerts are kept for a year.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ rules: z.array(ruleShape), alerts: z.array(alertShape) }),

  async run({ site, db }) {
    const rules = await listRules(db, site.id);
    return {
      rules: rules.map((rule) => describeRule(rule, manages(site.role))),
      alerts: await listAlerts(db, site.id),
    };
  },
});
