import { z } from "zod";
import { confirmEmail } from "@/lib/auth/confirmation";
import { defineDeed } from "@/lib/deeds/define";

export default defineDeed({
  id: "email.confirm",
  freshMs: null,
  input: z.strictObject({ token: z.string("is text").max(100, "has at most 100 characters") }),

  async run({ input, owner, now }) {
    await confirmEmail(owner, input.token, now);
    return undefined;
  },
});
