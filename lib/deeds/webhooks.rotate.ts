import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { rotateSecret } from "@/lib/monitoring/webhooks";

export default defineDeed({
  id: "webhooks.rotate",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId }),

  run: ({ input, owner, requestId, now }) =>
    rotateSecret({ personId: owner.personId, siteId: input.site_id, requestId, now }),
});
