import { proof, reauthenticate } from "@/lib/auth/reauth";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "session.reauthenticate",
  freshMs: null,
  input: proof,

  async run({ input, owner, now }) {
    await reauthenticate(owner, input, now);
    return {};
  },
});
