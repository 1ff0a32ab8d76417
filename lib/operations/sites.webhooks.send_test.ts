import { z } from "zod";
import { defineOperation, type Principal } from "@/lib/contract/define";
import { Refusal } from "@/lib/contract/errors";
import { siteId } from "@/lib/contract/fields";
import { sendNow } from "@/lib/monitoring/deliver";
import { queueTest } from "@/lib/monitoring/webhooks";
import { takeRate } from "@/lib/platform/rate";

/** Nobody makes us post to a stranger all day. */
const TESTS = 10;
const WITHIN_MS = 10 * 60_000;

const sent = z.object({
  delivery_id: z.uuid(),
  outcome: z
    .string()
    .nullable()
    .meta({ description: "What the first try came to, such as Answered 204; null while another process sends it" }),
});

export default defineOperation({
  id: "sites.webhooks.send_test",
  title: "Send a test to the webhook",
  about:
    "Posts a message of type `test` to the site's webhook and answers what came of it. One that is not taken is tried again for a day, as any message. At most 10 tests in 10 minutes. Each test needs a new Idempotency-Key.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: sent,

  async reach({ site, principal, db, now }) {
    // Before anything is queued: what is queued is sent.
    await countTest(principal, now);
    const id = await queueTest(db, site, now);
    return { delivery_id: id, outcome: await sendNow(id, now) };
  },

  run: async ({ reached }) => reached as z.input<typeof sent>,
  audited: ({ data }) => data,
});

/** Counts by the caller and not by the site, so that nobody uses up the tests of others. */
async function countTest(principal: Principal, now: Date): Promise<void> {
  const caller = principal.kind === "client" ? `client:${principal.clientId}` : principal.personId;
  const { allowed, retryAfter } = await takeRate(`webhook:${caller}`, TESTS, WITHIN_MS, now);
  if (!allowed) throw new Refusal("rate_limited", "Enough tests for now. Wait a few minutes.", undefined, retryAfter);
}
