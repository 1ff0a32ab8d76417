import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { decideConsent } from "@/lib/oauth/consent";
import { choiceFields, choiceOf } from "@/lib/oauth/consent-choice";

export default definePersonalOperation({
  id: "device.decide",
  // The grant checks the sign-in age.
  freshMs: null,
  input: z.strictObject({
    question: z.string("must be the id of the opened request").max(100, "must be the id of the opened request"),
    ...choiceFields,
  }),

  async run({ input, owner, requestId, now }) {
    if (input.decision === "approve") requireConfirmed(owner);
    const given = { question: input.question, ...choiceOf(input) };
    return { decision: await decideConsent(given, { owner, requestId }, now) };
  },
});
