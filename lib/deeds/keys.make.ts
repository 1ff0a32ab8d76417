import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { makeKey } from "@/lib/sites/ingest-keys";

export default defineDeed({
  id: "keys.make",
  freshMs: FRESH_MS,
  input: z.strictObject({
    site_id: siteId,
    name: z
      .string("must be text")
      .trim()
      .min(1, "must name what sends with it, such as Shop")
      .max(100, "must have at most 100 characters"),
    expires_in_days: z
      .int("must be a whole number of days")
      .min(1, "must be a day or more")
      .max(3650, "must be at most ten years, 3650 days")
      .nullable(),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { ...(await makeKey(by, input.name, input.expires_in_days)) };
  },
});
