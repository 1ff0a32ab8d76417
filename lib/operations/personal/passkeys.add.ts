import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { addPasskey, newPasskeyAnswer } from "@/lib/auth/passkeys";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";
import { nameText } from "@/lib/contract/fields";

export default definePersonalOperation({
  id: "passkeys.add",
  freshMs: FRESH_MS,
  input: z.strictObject({ name: nameText(60), answer: newPasskeyAnswer }),

  async run({ input, owner, now }) {
    requireConfirmed(owner);
    return { recovery_codes: await addPasskey(owner, input, now) };
  },
});
