import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { keyId, siteId } from "@/lib/contract/fields";
import { keyInWords, LONGEST_OVERLAP_HOURS, newKeyShape, rotatableKey, rotateKey } from "@/lib/sites/ingest-keys";

export default defineOperation({
  id: "sites.keys.rotate",
  title: "Rotate an ingest key",
  about:
    "Replaces a key by a new one of the same name and lifetime. The old key works for `overlap_hours` more, at most until it expires anyway. The new key is shown once, in the answer.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({
    site_id: siteId,
    key_id: keyId,
    overlap_hours: z
      .int("must be a whole number of hours")
      .min(0, "must be 0 or more")
      .max(LONGEST_OVERLAP_HOURS, "must be at most a week, 168 hours")
      .meta({ description: "How long the old key works beside the new one; 0 ends it at once" }),
  }),
  example: { site_id: 1, key_id: 1, overlap_hours: 24 },
  output: newKeyShape.extend({
    previous_key_id: keyId,
    previous_key_valid_until: z.iso.datetime().meta({ description: "When the old key ends" }),
  }),

  async summary({ input, ...work }) {
    const key = await rotatableKey(work, input.key_id);
    const hours = input.overlap_hours;
    const overlap =
      hours === 0
        ? "this one ends at once"
        : `this one works for at most ${hours} more ${hours === 1 ? "hour" : "hours"}`;
    return [{ label: "Ingest key", before: keyInWords(key), after: `A new one of the same name; ${overlap}` }];
  },

  async run({ input, ...work }) {
    const { previousUntil, ...made } = await rotateKey(work, input.key_id, input.overlap_hours);
    return { ...made, previous_key_id: input.key_id, previous_key_valid_until: previousUntil.toISOString() };
  },

  audited: ({ input, data }) => ({ ...input, new_key_id: data.key_id }),
});
