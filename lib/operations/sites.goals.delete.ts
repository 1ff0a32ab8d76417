import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { deleteGoal, describeGoal, goalId, goalShape } from "@/lib/sites/saved/goals";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.goals.delete",
  title: msg("Delete a goal"),
  about:
    "Deletes a goal. Refused while a segment, dashboard, experiment or alert rule of the site uses it; a saved dashboard that shows its conversions opens without them.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId, id: goalId }),
  example: { site_id: 1, id: 1 },
  output: goalShape,

  async run({ input, ...work }) {
    return describeGoal(await deleteGoal(work, input.id));
  },

  audited: ({ data }) => data,
});
