import { z } from "zod";
import { sendConfirmation } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { deliversEmail } from "@/lib/email/mailer";

export default definePersonalOperation({
  id: "email.send_confirmation",
  freshMs: null,
  input: z.strictObject({}),

  async run({ owner, now }) {
    await sendConfirmation(owner, now);
    return { delivered: deliversEmail() };
  },
});
