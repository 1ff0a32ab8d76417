import { defineOperation } from "@/lib/contract/define";
import { describeGoal, goalInput, goalShape, listGoals, saveGoal } from "@/lib/sites/saved/goals";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.goals.save",
  title: msg("Save a goal"),
  about:
    "Creates a goal, or changes the one with `id`. Paths take `*` for any part of one segment, `**` for any number of segments; events match by exact name. Past events count too. What uses the goal, such as segments and alerts, follows to a new name.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: goalInput,
  example: { site_id: 1, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } },
  output: goalShape,

  async current({ input, site, db }) {
    const row = (await listGoals(site.id, db)).find(({ id }) => id === input.id);
    if (!row) return null;
    const { id: _, created_by: __, updated_at: ___, ...fields } = describeGoal(row);
    return fields;
  },

  async run({ input, ...work }) {
    return describeGoal(await saveGoal(work, input));
  },
});
