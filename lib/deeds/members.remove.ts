import { z } from "zod";
import { personId, siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { removeMember } from "@/lib/sites/members";

export default defineDeed({
  id: "members.remove",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId, person_id: personId }),

  async run({ input, owner, requestId, now }) {
    await removeMember({ personId: owner.personId, siteId: input.site_id, requestId, now }, input.person_id);
    return undefined;
  },
});
