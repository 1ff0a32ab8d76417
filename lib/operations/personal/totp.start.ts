import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { startSecondFactor } from "@/lib/auth/two-factor-setup";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "totp.start",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  run({ owner }) {
    requireConfirmed(owner);
    return startSecondFactor(owner);
  },
});
