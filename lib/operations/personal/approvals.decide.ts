import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { decideApproval } from "@/lib/gateway/decide";

export default definePersonalOperation({
  id: "approvals.decide",
  // decideApproval checks the sign-in age, which depends on the operation to approve.
  freshMs: null,
  input: z.strictObject({
    id: z.string("must be the id of an approval").max(64, "must be the id of an approval"),
    decision: z.enum(["approved", "denied"], "must be approved or denied"),
  }),

  async run({ input, owner, requestId, now }) {
    const { status } = await decideApproval(input.id, input.decision, { ...owner, requestId }, now);
    return { status };
  },
});
