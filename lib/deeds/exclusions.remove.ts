import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { removeExclusion } from "@/lib/sites/exclusions";

export default defineDeed({
  id: "exclusions.remove",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    exclusion_id: z
      .int("must be a whole number")
      .min(1, "must be a rule of the site")
      .max(2 ** 31 - 1, "must be a rule of the site"),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await removeExclusion(by, input.exclusion_id);
    return undefined;
  },
});
