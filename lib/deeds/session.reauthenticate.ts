import { z } from "zod";
import { reauthenticate } from "@/lib/auth/reauth";
import { defineDeed } from "@/lib/deeds/define";

export default defineDeed({
  id: "session.reauthenticate",
  freshMs: null,
  input: z.strictObject({ password: z.string("is text").max(1024), code: z.string("is text").max(64).optional() }),

  async run({ input, owner, now }) {
    await reauthenticate(owner, input, now);
    return undefined;
  },
});
