import { z } from "zod";
import { requireConfirmed } from "@/lib/auth/confirmation";
import { emailAddress } from "@/lib/auth/email";
import { Refusal } from "@/lib/contract/errors";
import { role, siteId } from "@/lib/contract/fields";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";
import { takeRate } from "@/lib/platform/rate";
import { sendInvitation } from "@/lib/sites/invitations";

const A_DAY_MS = 24 * 3600_000;
const INVITATIONS_A_DAY = 50;

export default defineDeed({
  id: "invitations.send",
  freshMs: FRESH_MS,
  input: z.strictObject({ site_id: siteId, email: emailAddress, role }),

  async run({ input, owner, requestId, now }) {
    requireConfirmed(owner);
    const { allowed, retryAfter } = await takeRate(`invite:${owner.personId}`, INVITATIONS_A_DAY, A_DAY_MS, now);
    if (!allowed) {
      const message = `You sent ${INVITATIONS_A_DAY} invitations today. Send the others tomorrow.`;
      throw new Refusal("rate_limited", message, undefined, retryAfter);
    }
    const { personId, email } = owner;
    await sendInvitation({ personId, email, siteId: input.site_id, requestId, now }, input);
    return undefined;
  },
});
