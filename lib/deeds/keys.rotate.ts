import { z } from "zod";
import { keyId, siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { LONGEST_OVERLAP_HOURS, rotateKey } from "@/lib/sites/ingest-keys";

export default defineDeed({
  id: "keys.rotate",
  freshMs: FRESH_MS,
  input: z.strictObject({
    site_id: siteId,
    key_id: keyId,
    overlap_hours: z
      .int("must be a whole number of hours")
      .min(0, "must be 0 or more")
      .max(LONGEST_OVERLAP_HOURS, "must be at most a week, 168 hours"),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { ...(await rotateKey(by, input.key_id, input.overlap_hours)) };
  },
});
