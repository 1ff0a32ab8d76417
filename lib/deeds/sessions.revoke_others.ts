import { z } from "zod";
import { endSessions } from "@/lib/auth/session-row";
import { db } from "@/lib/db";
import { defineDeed } from "@/lib/deeds/define";

export default defineDeed({
  id: "sessions.revoke_others",
  freshMs: null,
  input: z.strictObject({}),

  async run({ owner, now }) {
    await endSessions(db(), owner.personId, now, owner.sid);
    return undefined;
  },
});
