import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { domainName } from "@/lib/contract/fields";
import { startClaim } from "@/lib/identity/claims";

export default definePersonalOperation({
  id: "claims.start",
  freshMs: null,
  input: z.strictObject({
    client_id: z.string("must be text").max(100, "must have at most 100 characters"),
    domain: domainName,
    method: z.enum(["dns", "https"], "must be one of dns, https"),
  }),

  run({ input, owner, now }) {
    requireConfirmed(owner);
    return startClaim(input.client_id, input, owner, now);
  },
});
