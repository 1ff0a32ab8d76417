import { z } from "zod";
import { deleteAccount } from "@/lib/auth/delete-account";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";

export default defineDeed({
  id: "account.delete",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  async run({ owner, requestId, now }) {
    await deleteAccount(owner, requestId, now);
    return undefined;
  },
});
