import { z } from "zod";
import { changePassword } from "@/lib/account/change-password";
import { newPassword } from "@/lib/auth/password";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "password.change",
  freshMs: FRESH_MS,
  input: z.strictObject({
    password: newPassword,
    /** Whether to disconnect all agents, because a thief of the password may have connected some. */
    disconnect_agents: z.boolean("must be true or false").default(true),
  }),

  async run({ input, owner, requestId, now }) {
    const { password, disconnect_agents: disconnectAgents } = input;
    await changePassword(owner, { password, disconnectAgents }, requestId, now);
    return {};
  },
});
