import { openUrl } from "@/lib/alerts/channels";
import { workFairly } from "@/lib/monitoring/fair-work";
import { db, Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { type Internet, postJson, Unreachable } from "@/lib/platform/outbound/outbound";

/** Posts alerts to chats. Failed messages are retried after one minute, then two, four and so on, for a day. */

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 4 * 3600_000;
const GIVE_UP_AFTER_MS = DAY_MS;
const DEADLINE_MS = 10_000;
/** Concurrent requests, so that slow hosts do not delay those of other accounts. */
const CONCURRENCY = { all: 5, ofAccount: 2 };
/** Statuses of 400 to 499 after which a later attempt may succeed. */
const TEMPORARY = [408, 425, 429];

/** The site of a row of alert_message. */
const SITE = Prisma.sql`(SELECT rule.site_id FROM alert_channel AS channel JOIN alert_rule AS rule ON rule.id = channel.rule_id
  WHERE channel.id = alert_message.channel_id)`;

interface Message {
  id: string;
  account: string;
  body: string;
  createdAt: Date;
  ruleId: number;
  url: Uint8Array;
}

/** Sends all due messages. Safe to run in several processes at once. @param internet for tests only */
export async function sendAlerts(now: Date, internet: Internet = {}): Promise<void> {
  await workFairly(
    CONCURRENCY,
    (busy: string[]) =>
      lease(now, Prisma.sql`send_after <= ${now}::timestamptz AND account_of_site(${SITE}) <> ALL (${busy})`),
    (message) => post(message, now, internet),
  );
}

/** Returns when the next message is due; null when none waits. */
export async function nextAlertMessageAt(): Promise<Date | null> {
  const { _min } = await db().alertMessage.aggregate({ _min: { sendAfter: true } });
  return _min.sendAfter;
}

/** Sends one message immediately. @returns the outcome as text; null while another process sends it */
export async function sendAlertNow(id: string, now: Date): Promise<string | null> {
  const message = await lease(now, Prisma.sql`id = ${id}::uuid AND attempts = 0`);
  if (message) await post(message, now, {});
  return (await db().alertMessage.findUnique({ where: { id }, select: { outcome: true } }))?.outcome ?? null;
}

/** Leases a message by postponing its next attempt, so that it is retried if this process dies. */
async function lease(now: Date, condition: Prisma.Sql): Promise<Message | undefined> {
  const [message] = await db().$queryRaw<Message[]>`
    UPDATE alert_message AS message SET
      attempts = attempts + 1,
      send_after = ${now}::timestamptz
        + least(${FIRST_RETRY_MS} * pow(2, least(attempts, 20)), ${MAX_RETRY_MS}) * interval '1 millisecond'
    FROM alert_channel AS channel JOIN alert_rule AS rule ON rule.id = channel.rule_id
    WHERE channel.id = message.channel_id AND message.id IN (
      SELECT id FROM alert_message WHERE ${condition} ORDER BY send_after, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING message.id::text, account_of_site(rule.site_id) AS account, message.body,
      message.created_at AS "createdAt", rule.id AS "ruleId", channel.url`;
  return message;
}

async function post({ id, body, url, ruleId, createdAt }: Message, now: Date, internet: Internet): Promise<void> {
  const status = await postJson(openUrl(url, ruleId), { body, headers: {}, deadlineMs: DEADLINE_MS }, internet).catch(
    (error) => {
      if (error instanceof Unreachable) return null;
      throw error;
    },
  );
  const delivered = status !== null && status >= 200 && status < 300;
  const rejected = status !== null && status >= 400 && status < 500 && !TEMPORARY.includes(status);
  const ends = delivered || rejected || now.getTime() - createdAt.getTime() >= GIVE_UP_AFTER_MS;
  await db().alertMessage.updateMany({
    where: { id },
    data: {
      outcome: status === null ? "Could not be reached" : `Answered ${status}`,
      ...(delivered && { deliveredAt: now }),
      ...(ends && { sendAfter: null }),
    },
  });
}
