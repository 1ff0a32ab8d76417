import { z } from "zod";
import { cancelEmailChange } from "@/lib/account/change-email";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "email.cancel_change",
  freshMs: null,
  input: z.strictObject({}),

  async run({ owner, now }) {
    await cancelEmailChange(owner, now);
    return {};
  },
});
