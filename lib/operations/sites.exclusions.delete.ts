import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteExclusion, describeExclusion, exclusionId, exclusionOf, exclusionShape } from "@/lib/sites/exclusions";

export default defineOperation({
  id: "sites.exclusions.delete",
  title: "Count traffic again",
  about:
    "Deletes a rule: from now on, within ten seconds, what it left out is counted again. Events that were left out are not stored and do not come back. Answers the rule, so that it can be added again.",
  scope: "sites:write",
  role: "manager",
  risk: "configuration",
  input: z.strictObject({ site_id: siteId, exclusion_id: exclusionId }),
  example: { site_id: 1, exclusion_id: 1 },
  output: exclusionShape,

  async summary({ input, site, db }) {
    const rule = await exclusionOf(db, site.id, input.exclusion_id);
    return [{ label: `Left out by ${rule.kind}`, before: rule.pattern, after: null }];
  },

  async run({ input, ...work }) {
    return describeExclusion(await deleteExclusion(work, input.exclusion_id));
  },

  audited: ({ data }) => data,
});
