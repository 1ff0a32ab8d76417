import { z } from "zod";
import { testMail } from "@/lib/admin/test-mail";
import { requireAdministrator } from "@/lib/auth/administrators";
import { definePersonalOperation } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "admin.mail.send_test",
  freshMs: null,
  input: z.strictObject({}),

  async run({ owner, now }) {
    requireAdministrator(owner);
    return testMail(owner, now);
  },
});
