import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { changeKeptMonths } from "@/lib/sites/keeping";
import { LONGEST_KEPT_MONTHS } from "@/lib/sites/keeping-words";

export default defineDeed({
  id: "keeping.update",
  freshMs: FRESH_MS,
  input: z.strictObject({
    site_id: siteId,
    keep_months: z
      .int("must be a whole number of months, or null")
      .min(1, "must be 1 or more, or null")
      .max(LONGEST_KEPT_MONTHS, `must be at most ${LONGEST_KEPT_MONTHS}, or null`)
      .nullable(),
  }),

  async run({ input, owner, requestId, now }) {
    await changeKeptMonths({ personId: owner.personId, siteId: input.site_id, requestId, now }, input.keep_months);
    return undefined;
  },
});
