import { defineOperation } from "@/lib/contract/define";
import { describeGoal, goalInput, goalShape, saveGoal } from "@/lib/sites/saved/goals";

export default defineOperation({
  id: "sites.goals.save",
  title: "Save a goal",
  about:
    "Makes a goal, or changes the one with `id`. A page is a path pattern, where `*` is any part of one segment and `**` any number of segments; an event is its exact name. Events of the past count too.",
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
