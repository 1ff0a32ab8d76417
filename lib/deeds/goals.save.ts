import { defineDeed } from "@/lib/deeds/define";
import { goalInput, saveGoal } from "@/lib/sites/saved/goals";

export default defineDeed({
  id: "goals.save",
  freshMs: null,
  input: goalInput,

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { id: await saveGoal(by, input) };
  },
});
