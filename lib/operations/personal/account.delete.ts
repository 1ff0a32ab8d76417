import { z } from "zod";
import { deleteAccount } from "@/lib/account/delete-account";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "account.delete",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  async run({ owner, requestId, now }) {
    await deleteAccount(owner, requestId, now);
    return {};
  },
});
