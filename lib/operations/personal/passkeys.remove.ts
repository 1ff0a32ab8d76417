import { z } from "zod";
import { removePasskey } from "@/lib/auth/passkeys";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "passkeys.remove",
  freshMs: FRESH_MS,
  input: z.strictObject({ passkey: z.string("must be the id of a passkey").max(2000, "must be the id of a passkey") }),

  async run({ input, owner, now }) {
    await removePasskey(owner, input.passkey, now);
    return {};
  },
});
