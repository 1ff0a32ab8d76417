import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, keyId, siteId } from "@/lib/contract/fields";
import { keyLabel, LONGEST_OVERLAP_HOURS, newKeyShape, rotatableKey, rotateIngestKey } from "@/lib/sites/ingest-keys";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.keys.rotate",
  title: msg("Rotate an ingest key"),
  about:
    "Replaces a key with a new one of the same name and lifetime. The old key stays valid for `overlap_hours`, but not past its own expiry. Only this answer has the new key, and its replays for 72 hours.",
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
      .meta({ description: "Hours for which the old key stays valid; 0 revokes it at once" }),
  }),
  example: { site_id: 1, key_id: 1, overlap_hours: 24 },
  output: newKeyShape.extend({
    previous_key_id: keyId.meta({ examples: [1] }),
    previous_key_valid_until: about(z.iso.datetime(), "When the old key expires", "2026-11-21T09:30:00Z"),
  }),

  async summary({ input, ...work }) {
    const key = await rotatableKey(work, input.key_id);
    const hours = input.overlap_hours;
    const overlap =
      hours === 0
        ? "the old key is revoked at once"
        : `the old key works for at most ${hours} more ${hours === 1 ? "hour" : "hours"}`;
    return [{ label: "Ingest key", before: keyLabel(key), after: `New key with the same name; ${overlap}` }];
  },

  async run({ input, ...work }) {
    const { previousUntil, ...created } = await rotateIngestKey(work, input.key_id, input.overlap_hours);
    return { ...created, previous_key_id: input.key_id, previous_key_valid_until: previousUntil.toISOString() };
  },

  audited: ({ input, data }) => ({ ...input, new_key_id: data.key_id }),
});
