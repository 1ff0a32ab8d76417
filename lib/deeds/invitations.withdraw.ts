import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { withdrawInvitation } from "@/lib/sites/invitations";

export default defineDeed({
  id: "invitations.withdraw",
  freshMs: null,
  input: z.strictObject({
    site_id: siteId,
    invitation_id: z
      .int("must be a whole number")
      .min(1, "must be 1 or more")
      .max(2 ** 31 - 1, "must be the id of an invitation"),
  }),

  async run({ input, owner, requestId, now }) {
    await withdrawInvitation({ personId: owner.personId, siteId: input.site_id, requestId, now }, input.invitation_id);
    return undefined;
  },
});
