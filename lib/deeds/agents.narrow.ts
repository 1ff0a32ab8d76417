import { z } from "zod";
import { clientId, scope, siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { narrowConnection } from "@/lib/oauth/disconnect";

export default defineDeed({
  id: "agents.narrow",
  // Taking away must work at once.
  freshMs: null,
  input: z.strictObject({
    client_id: clientId,
    scopes: z.array(scope).min(1, "keeps at least one; disconnect the agent to take everything away").max(100),
    site_ids: z.array(siteId).max(10_000),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, clientId: input.client_id, requestId };
    await narrowConnection(by, { scopes: input.scopes, siteIds: input.site_ids }, now);
    return undefined;
  },
});
