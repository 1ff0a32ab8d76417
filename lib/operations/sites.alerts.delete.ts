import { z } from "zod";
import { deleteRule, describeRule, requireRule, ruleId, ruleShape } from "@/lib/alerts/rules";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.alerts.delete",
  title: msg("Delete an alert rule"),
  about: "Deletes an alert rule with its alerts, and returns it. Its chats must be given again to save it anew.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: z.strictObject({ site_id: siteId, id: ruleId }),
  example: { site_id: 1, id: 2 },
  output: ruleShape,

  async summary({ input, site, db }) {
    const { name } = await requireRule(db, site.id, input.id);
    return [{ label: "Alert rule", before: name, after: null }];
  },

  run: async ({ input, ...work }) => describeRule(await deleteRule(work, input.id), true),
});
