import { z } from "zod";
import type { Principal } from "@/lib/contract/define";
import { about } from "@/lib/contract/fields";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { deliverNow } from "@/lib/monitoring/deliver";
import { queueTest } from "@/lib/monitoring/webhooks";
import { requireRate } from "@/lib/platform/rate";

/** Rate limit per caller, so that the service cannot be used to flood a third party with requests. */
const MAX_TESTS = 10;
const WINDOW_MS = 10 * 60_000;

export const testMessageShape = z.object({
  delivery_id: z.uuid(),
  outcome: about(
    z.string().nullable(),
    "Outcome of the first attempt, such as Answered 204; null while another process sends it",
    "answered 200",
  ),
});
export type TestMessage = z.infer<typeof testMessageShape>;

/**
 * Posts a test message to the site's webhook.
 *
 * @throws Refusal `rate_limited` after ten tests in ten minutes, `not_found` without a webhook
 */
export async function sendTest(work: SiteWork): Promise<TestMessage> {
  const { db, site, principal, now } = work;
  // Before the message is queued, because queued messages are always sent.
  await countTest(principal, now);
  const id = await queueTest(db, site, now);
  return { delivery_id: id, outcome: await deliverNow(id, now) };
}

/** Counts per caller instead of per site, so that members cannot use up each other's tests. */
async function countTest(principal: Principal, now: Date): Promise<void> {
  const caller = principal.kind === "client" ? `client:${principal.clientId}` : principal.personId;
  const message = "Too many test messages. Wait a few minutes, then try again.";
  await requireRate(`webhook:${caller}`, MAX_TESTS, WINDOW_MS, now, message);
}
