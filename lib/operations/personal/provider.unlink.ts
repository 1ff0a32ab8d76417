import { z } from "zod";
import { unlinkProvider } from "@/lib/auth/provider-sign-in";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";

export default definePersonalOperation({
  id: "provider.unlink",
  freshMs: FRESH_MS,
  input: z.strictObject({}),

  async run({ owner, now }) {
    await unlinkProvider(owner, now);
    return {};
  },
});
