import { z } from "zod";
import { endSessions } from "@/lib/auth/session-row";
import { definePersonalOperation } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";

export default definePersonalOperation({
  id: "sessions.revoke_others",
  freshMs: null,
  input: z.strictObject({}),

  async run({ owner, now }) {
    await endSessions(db(), owner.personId, now, owner.sid);
    return {};
  },
});
