import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { startSecondFactor } from "@/lib/auth/enrolment";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";

export default defineDeed({
  id: "totp.start",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  run({ owner }) {
    requireConfirmed(owner);
    return startSecondFactor(owner);
  },
});
