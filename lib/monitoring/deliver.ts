import { signedHeaders } from "@/lib/monitoring/webhooks";
import { db, Prisma } from "@/lib/platform/db";
import { type Internet, postJson, Unreachable } from "@/lib/platform/outbound/outbound";

/** Posts messages to webhooks. One that fails is tried again after a minute, then two, four and so on, for a day. */

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 4 * 3600_000;
const GIVEN_UP_AFTER_MS = 24 * 3600_000;
const DEADLINE_MS = 10_000;
/** At once, so that receivers who let us wait hold up few others. */
const AT_ONCE = 10;
/** The receiver wants no more of this (Standard Webhooks). */
const GONE = 410;

interface Taken {
  id: string;
  siteId: number;
  body: string;
  createdAt: Date;
  url: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousUntil: Date | null;
}

/**
 * Sends the messages whose time has come. Any number of processes may do so at once; a message is posted twice only when a
 * process dies between sending and noting it, under the same id.
 *
 * @param internet only for tests.
 */
export async function sendDeliveries(now: Date, internet: Internet = {}): Promise<void> {
  for (;;) {
    const taken = await take(now, Prisma.sql`send_after <= ${now}::timestamptz`);
    await Promise.all(taken.map((one) => post(one, now, internet)));
    if (taken.length < AT_ONCE) return;
  }
}

/** Sends one message now, when nobody else does. @returns what came of it, in words; null when another has it. */
export async function sendNow(id: string, now: Date, internet: Internet = {}): Promise<string | null> {
  const [one] = await take(now, Prisma.sql`id = ${id}::uuid AND attempts = 0`);
  if (one) await post(one, now, internet);
  const known = await db().webhookDelivery.findUnique({ where: { id }, select: { outcome: true } });
  return known?.outcome ?? null;
}

/** Takes messages by putting off their next try: should this process die, that try comes by itself. */
const take = (now: Date, which: Prisma.Sql): Promise<Taken[]> =>
  db().$queryRaw<Taken[]>`
    UPDATE webhook_delivery AS delivery SET
      attempts = attempts + 1, attempted_at = ${now},
      send_after = ${now}::timestamptz
        + least(${FIRST_WAIT_MS} * pow(2, least(attempts, 20)), ${LONGEST_WAIT_MS}) * interval '1 millisecond'
    FROM webhook
    WHERE webhook.site_id = delivery.site_id AND delivery.id IN (
      SELECT id FROM webhook_delivery WHERE ${which} ORDER BY send_after, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING delivery.id::text, delivery.site_id AS "siteId", body, delivery.created_at AS "createdAt", url, secret,
      previous_secret AS "previousSecret", previous_until AS "previousUntil"`;

async function post(taken: Taken, now: Date, internet: Internet): Promise<void> {
  const { id, url, body } = taken;
  try {
    const headers = signedHeaders(id, body, taken, now);
    const status = await postJson(url, { body, headers, deadlineMs: DEADLINE_MS }, internet);
    const good = status >= 200 && status < 300;
    await note(taken, { outcome: `Answered ${status}`, good, over: status === GONE }, now);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    await note(taken, { outcome: "Could not be reached", good: false, over: false }, now);
  }
}

/** What came of a try. One that is over, or has failed for a day, is not tried again. */
async function note(
  { id, createdAt }: Taken,
  { outcome, good, over }: { outcome: string; good: boolean; over: boolean },
  now: Date,
): Promise<void> {
  const givenUp = over || now.getTime() - createdAt.getTime() >= GIVEN_UP_AFTER_MS;
  await db().webhookDelivery.updateMany({
    where: { id },
    data: { outcome, ...(good && { deliveredAt: now }), ...((good || givenUp) && { sendAfter: null }) },
  });
}
