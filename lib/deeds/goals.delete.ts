import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { deleteGoal, goalId } from "@/lib/sites/saved/goals";

export default defineDeed({
  id: "goals.delete",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, id: goalId }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await deleteGoal(by, input.id);
    return undefined;
  },
});
