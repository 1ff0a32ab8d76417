import { z } from "zod";
import { reauthenticate } from "@/lib/auth/reauth";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "session.reauthenticate",
  freshMs: null,
  input: z.strictObject({
    password: z.string("must be text").max(1024, "must have at most 1024 characters"),
    code: z.string("must be text").max(64, "must have at most 64 characters").optional(),
  }),

  async run({ input, owner, now }) {
    await reauthenticate(owner, input, now);
    return {};
  },
});
