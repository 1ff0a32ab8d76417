import { z } from "zod";
import { cookieHeader } from "@/lib/auth/cookies";
import { passkeyCookie } from "@/lib/auth/other-sign-in";
import { askForPasskey } from "@/lib/auth/passkeys";
import { defineEntryOperation } from "@/lib/contract/define";
import { freshSecret } from "@/lib/platform/secrets";

const COOKIE_S = 300;

export default defineEntryOperation({
  id: "passkeys.ask",
  input: z.strictObject({}),

  async run({ now }) {
    const value = freshSecret();
    // The same question for everybody, so that nobody learns who has passkeys.
    const data = await askForPasskey(value, null, now);
    return { data, cookie: cookieHeader({ ...passkeyCookie(), value }, COOKIE_S) };
  },
});
