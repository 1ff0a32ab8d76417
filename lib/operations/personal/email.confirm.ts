import { z } from "zod";
import { confirmEmail } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "email.confirm",
  freshMs: null,
  input: z.strictObject({ token: z.string("must be text").max(100, "must have at most 100 characters") }),

  async run({ input, owner, now }) {
    await confirmEmail(owner, input.token, now);
    return {};
  },
});
