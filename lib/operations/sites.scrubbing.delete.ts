import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { SCRUB_RULES } from "@/lib/contract/scrub-rule-kinds";
import { deleteEventRule, eventRuleOf } from "@/lib/sites/event-rules";
import { describeScrubRule, SITE_SCRUB_RULES, scrubRuleId, scrubRuleShape } from "@/lib/sites/scrub-rules";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.scrubbing.delete",
  title: msg("Delete a scrubbing rule"),
  about:
    "Deletes one of a site's own scrubbing rules, for new events within ten seconds. Stored events stay. Returns the rule, so that it can be added again.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ site_id: siteId, rule_id: scrubRuleId }),
  example: { site_id: 1, rule_id: 1 },
  output: scrubRuleShape,

  async summary({ input, site, db }) {
    const rule = await eventRuleOf(db, SITE_SCRUB_RULES, site.id, input.rule_id);
    return [{ label: SCRUB_RULES[rule.kind].label, before: rule.pattern, after: null }];
  },

  async run({ input, ...work }) {
    return describeScrubRule(await deleteEventRule(work, SITE_SCRUB_RULES, input.rule_id));
  },

  audited: ({ data }) => data,
});
