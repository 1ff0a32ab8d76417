import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { nameText, optionalParam, siteId } from "@/lib/contract/fields";
import { createKey, newKeyShape, requireRoomForKey } from "@/lib/sites/ingest-keys";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.keys.create",
  title: msg("Create an ingest key"),
  about:
    "Creates a key for a server that sends events of the site to /api/v1/events. Only this answer has the key, and its replays for 72 hours; never put it into pages or apps. A site has at most 20 keys.",
  scope: "sites:write",
  role: "manager",
  risk: "security",
  input: z.strictObject({
    site_id: siteId,
    name: nameText(100)
      .min(1, "must name the sender, such as Shop")
      .meta({ description: "Name of the sender, such as Shop" }),
    expires_in_days: optionalParam(
      z
        .int("must be a whole number of days")
        .min(1, "must be a day or more")
        .max(3650, "must be at most ten years, 3650 days"),
    ).meta({ description: "Days until the key expires; default never" }),
  }),
  example: { site_id: 1, name: "Shop", expires_in_days: 365 },
  output: newKeyShape,

  async summary({ input, ...work }) {
    await requireRoomForKey(work);
    const days = input.expires_in_days;
    return [
      { label: "Ingest key", before: null, after: input.name },
      { label: "Expires", before: null, after: days ? `After ${days} ${days === 1 ? "day" : "days"}` : "Never" },
    ];
  },

  run: ({ input, ...work }) => createKey(work, input.name, input.expires_in_days ?? null),
  audited: ({ input, data }) => ({ ...input, key_id: data.key_id }),
});
