import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { requestSignup } from "@/lib/auth/signup";
import { defineEntryOperation } from "@/lib/contract/define";

export default defineEntryOperation({
  id: "signup.request",
  input: z.strictObject({
    email: emailAddress,
    /** The page to open after the sign-up. */
    next: z.string("must be a path").max(8_000, "must have at most 8000 characters"),
  }),

  async run({ input, browser, now }) {
    await requestSignup(input.email, input.next, browser.address, now);
    return { data: {} };
  },
});
