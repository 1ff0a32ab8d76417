import { defineOperation } from "@/lib/contract/define";
import { describeGoal, goalInput, goalShape, saveGoal } from "@/lib/sites/saved/goals";

export default defineOperation({
  id: "sites.goals.save",
  title: "Save a goal",
  about:
    "Creates a goal, or changes the one with `id`. In the path of a page, `*` matches any part of one segment, `**` any number of segments; an event is matched by its exact name. Several ways and properties are possible. Past events count too.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: goalInput,
  example: { site_id: 1, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } },
  output: goalShape,

  async run({ input, ...work }) {
    return describeGoal(await saveGoal(work, input));
  },
});
