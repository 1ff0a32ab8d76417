import { z } from "zod";
import { stopSecondFactor } from "@/lib/auth/two-factor-setup";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "totp.stop",
  // The input itself holds the password and a code.
  freshMs: null,
  input: z.strictObject({
    password: z.string("must be text").max(1024, "must have at most 1024 characters"),
    code: z.string("must be text").max(64, "must have at most 64 characters"),
  }),

  async run({ input, owner, now }) {
    await stopSecondFactor(owner, input, now);
    return {};
  },
});
