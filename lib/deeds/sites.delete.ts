import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { approverFreshMs } from "@/lib/gateway/decide";
import { execute } from "@/lib/gateway/execute";
import deletion from "@/lib/operations/sites.delete";

export default defineDeed({
  id: "sites.delete",
  freshMs: approverFreshMs(deletion.risk),
  input: z.strictObject({ site_id: siteId }),

  async run({ input, owner, requestId, now }) {
    await execute(deletion, { principal: { kind: "owner", personId: owner.personId }, input, requestId, now });
    return undefined;
  },
});
