import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { deleteSegment } from "@/lib/sites/saved/segments";

export default defineDeed({
  id: "segments.delete",
  freshMs: null,
  input: z.strictObject({ site_id: siteId, id: z.uuid("must be the id of a segment, a UUID") }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await deleteSegment(by, input.id);
    return undefined;
  },
});
