import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { decideConsent } from "@/lib/oauth/consent";

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

export default definePersonalOperation({
  id: "device.decide",
  // decideConsent checks the sign-in age, which depends on the granted scopes.
  freshMs: null,
  input: z.strictObject({
    question: z.string("must be the id of the opened request").max(100, "must be the id of the opened request"),
    decision: z.enum(["approve", "deny"], "must be approve or deny"),
    scopes: z
      .array(z.enum(SCOPE_NAMES, "must be a scope"), "must be a list of scopes")
      .max(20, "must have at most 20 scopes"),
    site_ids: z.array(siteId, "must be a list of sites").max(10_000, "must have at most 10000 sites"),
  }),

  async run({ input, owner, requestId, now }) {
    if (input.decision === "approve") requireConfirmed(owner);
    const { question, decision, scopes, site_ids: siteIds } = input;
    return { decision: await decideConsent({ question, decision, scopes, siteIds }, { owner, requestId }, now) };
  },
});
