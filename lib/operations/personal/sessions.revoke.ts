import { z } from "zod";
import { endSession } from "@/lib/auth/session-list";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "sessions.revoke",
  freshMs: null,
  input: z.strictObject({
    session: z.string("must be the id of a session").max(64, "must have at most 64 characters"),
  }),

  async run({ input, owner, now }) {
    await endSession(owner, input.session, now);
    return {};
  },
});
