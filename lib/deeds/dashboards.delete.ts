import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { deleteDashboard } from "@/lib/sites/saved/dashboards";

export default defineDeed({
  id: "dashboards.delete",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, id: z.uuid("must be the id of a dashboard, a UUID") }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await deleteDashboard(by, input.id);
    return undefined;
  },
});
