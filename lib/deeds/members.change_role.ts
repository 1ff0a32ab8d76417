import { z } from "zod";
import { personId, role, siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { changeRole } from "@/lib/sites/members";

export default defineDeed({
  id: "members.change_role",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId, person_id: personId, role }),

  async run({ input, owner, requestId, now }) {
    await changeRole({ personId: owner.personId, siteId: input.site_id, requestId, now }, input.person_id, input.role);
    return undefined;
  },
});
