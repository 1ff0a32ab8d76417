import { z } from "zod";
import { defineEntryOperation } from "@/lib/contract/define";
import { unlock } from "@/lib/sites/share-password";

export default defineEntryOperation({
  id: "links.unlock",
  input: z.strictObject({
    secret: z.string("must be the secret of a private link").max(64, "must have at most 64 characters"),
    password: z
      .string("must be text")
      .min(1, "must be the password of the link")
      .max(1024, "must have at most 1024 characters"),
  }),

  async run({ input, browser, now }) {
    return { data: {}, cookie: await unlock(input.secret, input.password, browser.address, now) };
  },
});
