import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteEventRule, eventRuleOf } from "@/lib/sites/event-rules";
import { describeExclusion, EXCLUSIONS, exclusionId, exclusionShape } from "@/lib/sites/exclusions";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.exclusions.delete",
  title: msg("Delete an exclusion"),
  about:
    "Deletes an exclusion: matching events are stored again within ten seconds. Events that it excluded are lost. Returns the exclusion, so that it can be added again.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ site_id: siteId, exclusion_id: exclusionId }),
  example: { site_id: 1, exclusion_id: 1 },
  output: exclusionShape,

  async summary({ input, site, db }) {
    const rule = await eventRuleOf(db, EXCLUSIONS, site.id, input.exclusion_id);
    return [{ label: `Exclusion by ${rule.kind}`, before: rule.pattern, after: null }];
  },

  async run({ input, ...work }) {
    return describeExclusion(await deleteEventRule(work, EXCLUSIONS, input.exclusion_id));
  },

  audited: ({ data }) => data,
});
