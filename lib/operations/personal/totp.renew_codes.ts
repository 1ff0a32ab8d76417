import { z } from "zod";
import { renewRecoveryCodes } from "@/lib/auth/two-factor-setup";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "totp.renew_codes",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  async run({ owner, now }) {
    return { recovery_codes: await renewRecoveryCodes(owner, now) };
  },
});
