import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { SCRUB_RULE_KINDS, SCRUB_RULES } from "@/lib/contract/scrub-rule-kinds";
import { addEventRule, newEventPattern } from "@/lib/sites/event-rules";
import { describeScrubRule, SITE_SCRUB_RULES, scrubRuleShape } from "@/lib/sites/scrub-rules";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.scrubbing.add",
  title: msg("Add a scrubbing rule"),
  about:
    "Replaces more in new events of a site, or less, within ten seconds. Stored events stay. `*` matches any part of one word, or of one segment of a path; `**` any number of segments.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({
    site_id: siteId,
    kind: z
      .enum(SCRUB_RULE_KINDS, `must be ${SCRUB_RULE_KINDS.slice(0, -1).join(", ")} or ${SCRUB_RULE_KINDS.at(-1)}`)
      .meta({ description: SCRUB_RULE_KINDS.map((kind) => `\`${kind}\`: ${SCRUB_RULES[kind].about}`).join("; ") }),
    pattern: z
      .string("must be text")
      .min(1, "must say what the rule is for")
      .max(1000, "must have at most 1000 characters")
      .meta({ description: "A word such as CUST-*, a key such as customer_ref, or a path such as /products/**" }),
  }),
  example: { site_id: 1, kind: "pattern", pattern: "CUST-*" },
  output: scrubRuleShape,

  async summary({ input, site, db }) {
    const pattern = await newEventPattern(db, SITE_SCRUB_RULES, site.id, input.kind, input.pattern);
    return [{ label: SCRUB_RULES[input.kind].label, before: null, after: pattern }];
  },

  async run({ input, ...work }) {
    return describeScrubRule(await addEventRule(work, SITE_SCRUB_RULES, input.kind, input.pattern));
  },

  audited: ({ data }) => data,
});
