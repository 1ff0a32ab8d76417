import { z } from "zod";
import { SCOPES, type Scope } from "@/lib/contract/access";
import { siteId } from "@/lib/contract/fields";
import type { Choice } from "@/lib/oauth/consent";

/** Fields of a decision about the access of an agent, by either flow, and of what a person gives a token. */

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

export const accessFields = {
  scopes: z
    .array(z.enum(SCOPE_NAMES, "must be a scope"), "must be a list of scopes")
    .max(20, "must have at most 20 scopes"),
  site_ids: z.array(siteId, "must be a list of sites").max(10_000, "must have at most 10000 sites"),
};

export const choiceFields = {
  decision: z.enum(["approve", "deny"], "must be approve or deny"),
  ...accessFields,
};

/** The fields as the consent reads them. */
export const choiceOf = (input: { decision: Choice["decision"]; scopes: Scope[]; site_ids: number[] }): Choice => ({
  decision: input.decision,
  scopes: input.scopes,
  siteIds: input.site_ids,
});
