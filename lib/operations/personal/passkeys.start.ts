import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { startPasskey } from "@/lib/auth/passkeys";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "passkeys.start",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  run({ owner, now }) {
    requireConfirmed(owner);
    return startPasskey(owner, now);
  },
});
