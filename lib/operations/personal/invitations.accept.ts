import { z } from "zod";
import { definePersonalOperation } from "@/lib/contract/define";
import { acceptInvitation } from "@/lib/sites/invitations";

export default definePersonalOperation({
  id: "invitations.accept",
  freshMs: null,
  input: z.strictObject({
    invitation: z.string("must be the token of an invitation link").max(64, "must have at most 64 characters"),
  }),

  async run({ input, owner, requestId, now }) {
    const { personId, email } = owner;
    const { siteId, teamId } = await acceptInvitation(input.invitation, { personId, email, requestId }, now);
    return { site_id: siteId ?? null, team_id: teamId ?? null };
  },
});
