import { z } from "zod";
import { renewRecoveryCodes } from "@/lib/auth/enrolment";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";

export default defineDeed({
  id: "totp.renew_codes",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  async run({ owner, now }) {
    return { recovery_codes: await renewRecoveryCodes(owner, now) };
  },
});
