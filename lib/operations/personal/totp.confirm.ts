import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { confirmSecondFactor } from "@/lib/auth/two-factor-setup";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "totp.confirm",
  freshMs: FRESH_MS,
  input: z.strictObject({ code: z.string("must be text").max(64, "must have at most 64 characters") }),

  async run({ input, owner, now }) {
    requireConfirmed(owner);
    return { recovery_codes: await confirmSecondFactor(owner, input.code, now) };
  },
});
