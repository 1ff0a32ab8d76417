import { z } from "zod";
import { newPassword } from "@/lib/auth/password";
import { completeSignup } from "@/lib/auth/signup";
import { defineEntryOperation } from "@/lib/contract/define";

export default defineEntryOperation({
  id: "signup.finish",
  input: z.strictObject({
    token: z.string("must be the token of a sign-up link").max(64, "must have at most 64 characters"),
    password: newPassword,
  }),

  async run({ input, now }) {
    const { email, next } = await completeSignup(input.token, input.password, now);
    return { data: { next }, knownFor: email };
  },
});
