import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { MAX_REQUEST_LENGTH } from "@/lib/oauth/authorization-request";
import { decideAuthorization } from "@/lib/oauth/authorize";
import { choiceFields, choiceOf } from "@/lib/oauth/consent-choice";

export default definePersonalOperation({
  id: "authorize.decide",
  // The grant checks the sign-in age.
  freshMs: null,
  input: z.strictObject({
    request: z.string("must be the query of the request").max(MAX_REQUEST_LENGTH, "must be the query of the request"),
    ...choiceFields,
  }),

  async run({ input, owner, requestId, now }) {
    if (input.decision === "approve") requireConfirmed(owner);
    const given = { request: input.request, ...choiceOf(input) };
    return { redirect_to: await decideAuthorization(given, { owner, requestId }, now) };
  },
});
