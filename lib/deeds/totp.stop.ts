import { z } from "zod";
import { stopSecondFactor } from "@/lib/auth/enrolment";
import { defineDeed } from "@/lib/deeds/define";

export default defineDeed({
  id: "totp.stop",
  // Password and code come with it: they are the freshest proof there is.
  freshMs: null,
  input: z.strictObject({ password: z.string("is text").max(1024), code: z.string("is text").max(64) }),

  async run({ input, owner, now }) {
    await stopSecondFactor(owner, input, now);
    return undefined;
  },
});
