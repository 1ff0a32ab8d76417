import { proof } from "@/lib/auth/reauth";
import { stopSecondFactor } from "@/lib/auth/two-factor-setup";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "totp.stop",
  // The input itself is a proof with both factors.
  freshMs: null,
  input: proof,

  async run({ input, owner, now }) {
    await stopSecondFactor(owner, input, now);
    return {};
  },
});
