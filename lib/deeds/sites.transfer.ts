import { z } from "zod";
import { personId, siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { approverFreshMs } from "@/lib/gateway/decide";
import { execute } from "@/lib/gateway/execute";
import transfer from "@/lib/operations/sites.ownership.transfer";

export default defineDeed({
  id: "sites.transfer",
  freshMs: approverFreshMs(transfer.risk),
  input: z.strictObject({ site_id: siteId, new_owner_id: personId }),

  async run({ input, owner, requestId, now }) {
    await execute(transfer, { principal: { kind: "owner", personId: owner.personId }, input, requestId, now });
    return undefined;
  },
});
