import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { addExclusion, EXCLUSION_KINDS } from "@/lib/sites/exclusions";

export default defineDeed({
  id: "exclusions.add",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    kind: z.enum(EXCLUSION_KINDS, "must be address, country, path or hostname"),
    pattern: z
      .string("must be text")
      .min(1, "must say what to leave out")
      .max(1000, "must have at most 1000 characters"),
  }),

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    await addExclusion(by, input.kind, input.pattern);
    return undefined;
  },
});
