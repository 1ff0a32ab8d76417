import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { clientId } from "@/lib/contract/fields";
import { revokeConnection } from "@/lib/oauth/disconnect";

export default definePersonalOperation({
  id: "agents.revoke",
  // Removing access must work at once, without a fresh sign-in.
  freshMs: null,
  input: z.strictObject({ client_id: clientId }),

  async run({ input, owner, requestId, now }) {
    await revokeConnection({ personId: owner.personId, clientId: input.client_id, requestId }, now);
    return {};
  },
});
