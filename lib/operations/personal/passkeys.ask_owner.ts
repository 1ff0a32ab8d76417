import { z } from "zod";
import { askForPasskey } from "@/lib/auth/passkeys";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "passkeys.ask_owner",
  freshMs: null,
  input: z.strictObject({}),

  run({ owner, now }) {
    return askForPasskey(owner.sid, owner.personId, now);
  },
});
