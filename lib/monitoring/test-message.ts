import { z } from "zod";
import type { Principal } from "@/lib/contract/define";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { sendNow } from "@/lib/monitoring/deliver";
import { queueTest } from "@/lib/monitoring/webhooks";
import { Refusal } from "@/lib/platform/errors";
import { takeRate } from "@/lib/platform/rate";

/** So many tests of one caller, so that nobody makes us post to a stranger all day. */
const TESTS = 10;
const WITHIN_MS = 10 * 60_000;

export const testMessageShape = z.object({
  delivery_id: z.uuid(),
  outcome: z
    .string()
    .nullable()
    .meta({ description: "What the first try came to, such as Answered 204; null while another process sends it" }),
});
export type TestMessage = z.infer<typeof testMessageShape>;

/**
 * Posts a message that means nothing to the site's webhook.
 *
 * @throws Refusal `rate_limited` beyond ten in ten minutes, `not_found` without a webhook.
 */
export async function sendTest(work: SiteWork): Promise<TestMessage> {
  const { db, site, principal, now } = work;
  // Before anything is queued: what is queued is sent.
  await countTest(principal, now);
  const id = await queueTest(db, site, now);
  return { delivery_id: id, outcome: await sendNow(id, now) };
}

/** Counts by the caller and not by the site, so that nobody uses up the tests of others. */
async function countTest(principal: Principal, now: Date): Promise<void> {
  const caller = principal.kind === "client" ? `client:${principal.clientId}` : principal.personId;
  const { allowed, retryAfter } = await takeRate(`webhook:${caller}`, TESTS, WITHIN_MS, now);
  if (!allowed) throw new Refusal("rate_limited", "Enough tests for now. Wait a few minutes.", undefined, retryAfter);
}
