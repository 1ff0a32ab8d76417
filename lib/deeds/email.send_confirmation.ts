import { z } from "zod";
import { sendConfirmation } from "@/lib/auth/confirmation";
import { defineDeed } from "@/lib/deeds/define";

export default defineDeed({
  id: "email.send_confirmation",
  freshMs: null,
  input: z.strictObject({}),

  async run({ owner, now }) {
    await sendConfirmation(owner, now);
    return undefined;
  },
});
