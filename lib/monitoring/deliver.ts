import { workFairly } from "@/lib/monitoring/fair-work";
import { signedHeaders } from "@/lib/monitoring/webhooks";
import { db, Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { type Internet, postJson, Unreachable } from "@/lib/platform/outbound/outbound";

/** Delivers webhook messages. Failed deliveries are retried after one minute, then two, four and so on, for a day. */

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 4 * 3600_000;
const GIVE_UP_AFTER_MS = DAY_MS;
const DEADLINE_MS = 10_000;
/** Concurrent requests, so that slow receivers do not delay those of other accounts. */
const CONCURRENCY = { all: 10, ofAccount: 3 };
/** Status with which the receiver asks for no further attempts (Standard Webhooks). */
const STATUS_GONE = 410;

interface Delivery {
  id: string;
  siteId: number;
  account: string;
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
  await workFairly(
    CONCURRENCY,
    (busy: string[]) =>
      lease(now, Prisma.sql`send_after <= ${now}::timestamptz AND account_of_site(site_id) <> ALL (${busy})`),
    (delivery) => post(delivery, now, internet),
  );
}

/** Returns when the next message is due; null when none waits. */
export async function nextDeliveryAt(): Promise<Date | null> {
  const { _min } = await db().webhookDelivery.aggregate({ _min: { sendAfter: true } });
  return _min.sendAfter;
}

/** Sends one message immediately. @returns the outcome as text; null while another process is sending it. */
export async function deliverNow(id: string, now: Date): Promise<string | null> {
  const delivery = await lease(now, Prisma.sql`id = ${id}::uuid AND attempts = 0`);
  if (delivery) await post(delivery, now, {});
  const row = await db().webhookDelivery.findUnique({ where: { id }, select: { outcome: true } });
  return row?.outcome ?? null;
}

/** Leases a message by postponing its next attempt, so that it is retried if this process dies. */
async function lease(now: Date, condition: Prisma.Sql): Promise<Delivery | undefined> {
  const [delivery] = await db().$queryRaw<Delivery[]>`
    UPDATE webhook_delivery AS delivery SET
      attempts = attempts + 1, attempted_at = ${now},
      send_after = ${now}::timestamptz
        + least(${FIRST_RETRY_MS} * pow(2, least(attempts, 20)), ${MAX_RETRY_MS}) * interval '1 millisecond'
    FROM webhook
    WHERE webhook.site_id = delivery.site_id AND delivery.id IN (
      SELECT id FROM webhook_delivery WHERE ${condition} ORDER BY send_after, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING delivery.id::text, delivery.site_id AS "siteId", account_of_site(delivery.site_id) AS account, body, delivery.created_at AS "createdAt", url, secret,
      previous_secret AS "previousSecret", previous_until AS "previousUntil"`;
  return delivery;
}

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
