import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { checkClaim } from "@/lib/identity/claims";

export default defineDeed({
  id: "claims.check",
  freshMs: FRESH_MS,
  input: z.strictObject({ client_id: z.string("must be text").max(100, "must have at most 100 characters") }),

  async run({ input, owner, requestId, now }) {
    requireConfirmed(owner);
    return { ...(await checkClaim(input.client_id, { ...owner, requestId }, now)) };
  },
});
