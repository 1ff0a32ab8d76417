import { z } from "zod";
import { renamePerson } from "@/lib/account/change-email";
import { definePersonalOperation } from "@/lib/contract/define";
import { nameText } from "@/lib/contract/fields";

export default definePersonalOperation({
  id: "account.rename",
  freshMs: null,
  input: z.strictObject({ name: nameText(100) }),

  async run({ input, owner, now }) {
    await renamePerson(owner, input.name || null, now);
    return {};
  },
});
