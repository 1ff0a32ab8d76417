import { z } from "zod";
import { secureAccount } from "@/lib/account/change-password";
import { newPassword } from "@/lib/auth/password";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "account.secure",
  freshMs: FRESH_MS,
  input: z.strictObject({ password: newPassword.optional() }),

  async run({ input, owner, requestId, now }) {
    await secureAccount(owner, input.password, requestId, now);
    return {};
  },
});
