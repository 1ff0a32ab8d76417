import { z } from "zod";
import { requestEmailChange } from "@/lib/account/change-email";
import { emailAddress } from "@/lib/auth/email";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";
import { deliversEmail } from "@/lib/email/mailer";

export default definePersonalOperation({
  id: "email.change",
  freshMs: FRESH_MS,
  input: z.strictObject({ email: emailAddress }),

  async run({ input, owner, now }) {
    await requestEmailChange(owner, input.email, now);
    return { delivered: deliversEmail() };
  },
});
