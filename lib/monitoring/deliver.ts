import { signedHeaders } from "@/lib/monitoring/webhooks";
import { db, Prisma } from "@/lib/platform/db";
import { type Internet, postJson, Unreachable } from "@/lib/platform/outbound/outbound";

/** Delivers webhook messages. Failed deliveries are retried after one minute, then two, four and so on, for a day. */

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 4 * 3600_000;
const GIVE_UP_AFTER_MS = 24 * 3600_000;
const DEADLINE_MS = 10_000;
/** Concurrent requests, so that slow receivers delay few others. */
const CONCURRENCY = 10;
/** Status with which the receiver asks for no further attempts (Standard Webhooks). */
const STATUS_GONE = 410;

interface Delivery {
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
 * Sends all due messages. Safe to run in several processes at once; a message is posted twice, with the same id, only
 * if a process dies between sending and recording it.
 *
 * @param internet for tests only
 */
export async function sendDeliveries(now: Date, internet: Internet = {}): Promise<void> {
  for (;;) {
    const leased = await lease(now, Prisma.sql`send_after <= ${now}::timestamptz`);
    await Promise.all(leased.map((delivery) => post(delivery, now, internet)));
    if (leased.length < CONCURRENCY) return;
  }
}

/** Returns when the next message is due; null when none waits. */
export async function nextDeliveryAt(): Promise<Date | null> {
  const { _min } = await db().webhookDelivery.aggregate({ _min: { sendAfter: true } });
  return _min.sendAfter;
}

/** Sends one message immediately. @returns the outcome as text; null while another process is sending it. */
export async function sendNow(id: string, now: Date): Promise<string | null> {
  const [delivery] = await lease(now, Prisma.sql`id = ${id}::uuid AND attempts = 0`);
  if (delivery) await post(delivery, now, {});
  const row = await db().webhookDelivery.findUnique({ where: { id }, select: { outcome: true } });
  return row?.outcome ?? null;
}

/** Leases messages by postponing their next attempt, so that they are retried if this process dies. */
const lease = (now: Date, condition: Prisma.Sql): Promise<Delivery[]> =>
  db().$queryRaw<Delivery[]>`
    UPDATE webhook_delivery AS delivery SET
      attempts = attempts + 1, attempted_at = ${now},
      send_after = ${now}::timestamptz
        + least(${FIRST_RETRY_MS} * pow(2, least(attempts, 20)), ${MAX_RETRY_MS}) * interval '1 millisecond'
    FROM webhook
    WHERE webhook.site_id = delivery.site_id AND delivery.id IN (
      SELECT id FROM webhook_delivery WHERE ${condition} ORDER BY send_after, id LIMIT ${CONCURRENCY} FOR UPDATE SKIP LOCKED)
    RETURNING delivery.id::text, delivery.site_id AS "siteId", body, delivery.created_at AS "createdAt", url, secret,
      previous_secret AS "previousSecret", previous_until AS "previousUntil"`;

async function post(delivery: Delivery, now: Date, internet: Internet): Promise<void> {
  const { id, url, body } = delivery;
  try {
    const headers = signedHeaders(id, body, delivery, now);
    const status = await postJson(url, { body, headers, deadlineMs: DEADLINE_MS }, internet);
    const delivered = status >= 200 && status < 300;
    await record(delivery, { outcome: `Answered ${status}`, delivered, rejected: status === STATUS_GONE }, now);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    await record(delivery, { outcome: "Could not be reached", delivered: false, rejected: false }, now);
  }
}

/** Records the outcome of an attempt. Messages that the receiver rejects, or that fail for a day, are not retried. */
async function record(
  { id, createdAt }: Delivery,
  { outcome, delivered, rejected }: { outcome: string; delivered: boolean; rejected: boolean },
  now: Date,
): Promise<void> {
  const giveUp = rejected || now.getTime() - createdAt.getTime() >= GIVE_UP_AFTER_MS;
  await db().webhookDelivery.updateMany({
    where: { id },
    data: { outcome, ...(delivered && { deliveredAt: now }), ...((delivered || giveUp) && { sendAfter: null }) },
  });
}
