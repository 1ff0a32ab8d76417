import { z } from "zod";
import { resetPassword } from "@/lib/account/reset";
import { newPassword } from "@/lib/auth/password";
import { defineEntryOperation } from "@/lib/contract/define";

export default defineEntryOperation({
  id: "reset.finish",
  input: z.strictObject({
    token: z.string("must be the token of a reset link").max(64, "must have at most 64 characters"),
    password: newPassword,
    code: z.string("must be text").max(64, "must have at most 64 characters").optional(),
  }),

  async run({ input, browser, now }) {
    return { data: {}, knownFor: await resetPassword(input.token, input, browser.address, now) };
  },
});
