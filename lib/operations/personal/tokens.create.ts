import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { nameText } from "@/lib/contract/fields";
import { accessFields } from "@/lib/oauth/consent-choice";
import { makePersonalToken } from "@/lib/oauth/personal-tokens";
import { TOKEN_DAYS } from "@/lib/platform/limits";

export default definePersonalOperation({
  id: "tokens.create",
  // The grant checks the sign-in age.
  freshMs: null,
  input: z.strictObject({
    name: nameText(100).min(1, "must have 1 to 100 characters"),
    ...accessFields,
    expires_in_days: z
      .int("must be a whole number of days")
      .min(1, "must be at least 1 day")
      .max(TOKEN_DAYS.longest, `must be at most ${TOKEN_DAYS.longest} days`)
      .default(TOKEN_DAYS.usual),
  }),

  async run({ input, owner, requestId, now }) {
    requireConfirmed(owner);
    const { name, scopes, site_ids: siteIds, expires_in_days: days } = input;
    const made = await makePersonalToken({ name, scopes, siteIds, days }, { owner, requestId }, now);
    return { token: made.token, client_id: made.clientId, expires_at: made.expiresAt.toISOString() };
  },
});
