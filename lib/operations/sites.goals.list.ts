import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeGoal, goalShape, listGoals } from "@/lib/sites/saved/goals";

export default defineOperation({
  id: "sites.goals.list",
  title: "List goals",
  about: "Lists the goals of a site by name. Reports accept a goal as the filter `goal:<name>`.",
  scope: "sites:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({ goals: z.array(goalShape) }),

  async run({ site, db }) {
    return { goals: (await listGoals(site.id, db)).map(describeGoal) };
  },
});
