import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { deleteFunnel } from "@/lib/sites/saved/funnels";

export default defineDeed({
  id: "funnels.delete",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, id: z.uuid("must be the id of a funnel, a UUID") }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await deleteFunnel(by, input.id);
    return undefined;
  },
});
