import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { newPassword } from "@/lib/auth/password";
import { createFirstAccount } from "@/lib/auth/setup";
import { defineEntryOperation } from "@/lib/contract/define";

export default defineEntryOperation({
  id: "signup.first",
  input: z.strictObject({
    email: emailAddress,
    password: newPassword,
    token: z.string("must be text").max(200, "must have at most 200 characters").optional(),
  }),

  async run({ input, browser, now }) {
    await createFirstAccount(input, browser.isOnThisMachine, now);
    return { data: {} };
  },
});
