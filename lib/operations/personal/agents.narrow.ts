import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { clientId, scope, siteId } from "@/lib/contract/fields";
import { narrowConnection } from "@/lib/oauth/disconnect";
import { OPERATIONS } from "@/lib/operations/index";

export default definePersonalOperation({
  id: "agents.narrow",
  // Removing access must work at once, without a fresh sign-in.
  freshMs: null,
  input: z.strictObject({
    client_id: clientId,
    scopes: z
      .array(scope, "must be a list of scopes")
      .min(1, "must keep at least one; disconnect the agent to remove all access")
      .max(100, "must have at most 100 scopes"),
    site_ids: z.array(siteId, "must be a list of sites").max(10_000, "must have at most 10000 sites"),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, clientId: input.client_id, requestId };
    await narrowConnection(by, { scopes: input.scopes, siteIds: input.site_ids }, [...OPERATIONS.values()], now);
    return {};
  },
});
