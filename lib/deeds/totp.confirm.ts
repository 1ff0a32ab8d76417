import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { confirmSecondFactor } from "@/lib/auth/enrolment";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";

export default defineDeed({
  id: "totp.confirm",
  freshMs: FRESH_MS,
  input: z.strictObject({ code: z.string("is text").max(64) }),

  async run({ input, owner, now }) {
    requireConfirmed(owner);
    return { recovery_codes: await confirmSecondFactor(owner, input.code, now) };
  },
});
