import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { leaveSite } from "@/lib/sites/members";

export default definePersonalOperation({
  id: "members.leave",
  freshMs: null,
  input: z.strictObject({ site_id: siteId }),

  async run({ input, owner, requestId, now }) {
    await leaveSite({ personId: owner.personId, siteId: input.site_id, requestId, now });
    return {};
  },
});
