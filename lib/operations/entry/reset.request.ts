import { z } from "zod";
import { requestReset, sendReset } from "@/lib/account/reset";
import { emailAddress } from "@/lib/auth/email";
import { defineEntryOperation } from "@/lib/contract/define";

export default defineEntryOperation({
  id: "reset.request",
  input: z.strictObject({ email: emailAddress }),

  async run({ input: { email }, browser, now }) {
    const allowed = await requestReset(email, browser.address, now);
    return { data: {}, ...(allowed && { after: () => sendReset(email, now) }) };
  },
});
