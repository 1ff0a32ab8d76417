import { z } from "zod";
import { changePassword } from "@/lib/auth/change-password";
import { newPassword } from "@/lib/auth/password";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";

export default defineDeed({
  id: "password.change",
  freshMs: FRESH_MS,
  input: z.strictObject({ password: newPassword }),

  async run({ input, owner, now }) {
    await changePassword(owner, input.password, now);
    return undefined;
  },
});
