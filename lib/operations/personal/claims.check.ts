import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";
import { checkClaim } from "@/lib/identity/claims";
import { recoveryKey } from "@/lib/identity/fields";

export default definePersonalOperation({
  id: "claims.check",
  freshMs: FRESH_MS,
  input: z.strictObject({
    client_id: z.string("must be text").max(100, "must have at most 100 characters"),
    recovery_key: recoveryKey.nullish(),
  }),

  async run({ input, owner, requestId, now }) {
    requireConfirmed(owner);
    return { ...(await checkClaim(input.client_id, { ...owner, requestId }, input.recovery_key ?? null, now)) };
  },
});
