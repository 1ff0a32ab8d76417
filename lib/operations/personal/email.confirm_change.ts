import { z } from "zod";
import { confirmEmailChange } from "@/lib/account/change-email";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "email.confirm_change",
  freshMs: null,
  input: z.strictObject({ token: z.string("must be text").max(100, "must have at most 100 characters") }),

  async run({ input, owner, now }) {
    await confirmEmailChange(owner, input.token, now);
    return {};
  },
});
