import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { findConsent } from "@/lib/oauth/find-code";
import { OPERATIONS } from "@/lib/operations/index";

export default definePersonalOperation({
  id: "device.find",
  freshMs: null,
  input: z.strictObject({
    user_code: z.string("must be the code that your agent shows").max(64, "must have at most 64 characters"),
  }),

  async run({ input, owner, address, now }) {
    requireConfirmed(owner);
    return findConsent(input.user_code, { owner, address }, [...OPERATIONS.values()], now);
  },
});
