import { defineOperation } from "@/lib/contract/define";
import { currentGoal, describeGoal, goalInput, goalShape, saveGoal } from "@/lib/sites/saved/goals";
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

  current: currentGoal,

  async run({ input, ...work }) {
    return describeGoal(await saveGoal(work, input));
  },
});
