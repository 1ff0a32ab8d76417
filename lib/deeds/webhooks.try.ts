import { z } from "zod";
import { Refusal } from "@/lib/contract/errors";
import { siteId } from "@/lib/contract/fields";
import { defineDeed } from "@/lib/deeds/define";
import { takeRate } from "@/lib/gateway/rate";
import { sendNow } from "@/lib/monitoring/deliver";
import { queueTest } from "@/lib/monitoring/webhooks";

/** Whoever may send tests must not make us knock at somebody's door all day. */
const TESTS = 10;
const WITHIN_MS = 10 * 60_000;

export default defineDeed({
  id: "webhooks.try",
  freshMs: null,
  input: z.strictObject({ site_id: siteId }),

  async run({ input, owner, requestId, now }) {
    const { site_id: siteId } = input;
    // Before anything is queued, for what is queued is sent; and a person's own, whom strangers cannot use it up for.
    const { allowed, retryAfter } = await takeRate(`webhook:${owner.personId}`, TESTS, WITHIN_MS, now);
    if (!allowed) throw new Refusal("rate_limited", "Enough tests for now. Wait a few minutes.", undefined, retryAfter);
    const id = await queueTest({ personId: owner.personId, siteId, requestId, now });
    return { outcome: await sendNow(id, now) };
  },
});
