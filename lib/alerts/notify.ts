import { randomUUID } from "node:crypto";
import { chatBody, isChat } from "@/lib/alerts/channels";
import type { RuleRow } from "@/lib/alerts/rules";
import { unlink } from "@/lib/email/links";
import { queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { queueDelivery } from "@/lib/monitoring/webhooks";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";
import { confirmedAmong } from "@/lib/sites/reports/recipients";
import { unsubscribeLinks, unsubscribeToken } from "@/lib/sites/reports/unsubscribe";

/** What an alert says. */
export interface AlertText {
  start: Date;
  end: Date;
  value: number;
  /** A sentence. */
  seen: string;
  /** Whether it only tests the channels. */
  isTest: boolean;
}

/**
 * Queues an alert for all channels of its rule, within the caller's transaction. An address that is not confirmed any
 * more gets nothing.
 *
 * @returns ids of the queued messages, by channel; null for channels that get none
 */
export async function notifyAlert(
  tx: Db,
  rule: RuleRow,
  alert: AlertText,
  now: Date,
): Promise<Map<number, string | null>> {
  const { domain, host, kept } = await primaryNameOf(tx, rule.siteId);
  const url = `${env().BASE_URL}/sites/${rule.siteId}/settings/reports`;
  const confirmed = await confirmedAmong(
    tx,
    rule.siteId,
    rule.channels.flatMap(({ email }) => email ?? []),
  );
  const test = alert.isTest ? "Test of an alert: " : "";
  const queued = new Map<number, string | null>();
  for (const { id, kind, email } of rule.channels) {
    queued.set(id, null);
    if (email && confirmed.has(email)) {
      const links = unsubscribeLinks(unsubscribeToken({ kind: "alert", channelId: id }));
      const paragraphs = [
        `${test}${quoteName(rule.name)} on ${domain}.`,
        unlink(alert.seen),
        ...(alert.isTest ? ["Somebody tests this alert. Nothing has happened."] : []),
        `Alerts of the site, for its members: ${url}`,
        `Unsubscribe: ${links.page}`,
      ];
      const subject = `${test}${quoteName(rule.name)}, ${domain}`;
      const message = writeEmail(email, subject, paragraphs, `this address gets alerts of ${domain}`, kept);
      const messageId = randomUUID();
      await queueEmail(tx, { ...message, unsubscribe: links.oneClick }, now, { id: messageId });
      queued.set(id, messageId);
    } else if (kind === "webhook") {
      const data = {
        site_id: rule.siteId,
        domain: host ?? domain,
        rule_id: rule.id,
        name: rule.name,
        metric: rule.metric,
        condition: rule.condition,
        threshold: rule.threshold,
        value: alert.value,
        seen: alert.seen,
        start: alert.start.toISOString(),
        end: alert.end.toISOString(),
        url,
      };
      queued.set(id, await queueDelivery(tx, rule.siteId, alert.isTest ? "alert.test" : "alert.fired", data, now));
    } else if (isChat(kind)) {
      const text = `${test}${quoteName(rule.name)} on ${unlink(domain, kept)}\n${unlink(alert.seen)}\n${url}`;
      const messageId = randomUUID();
      const row = { id: messageId, channelId: id, body: chatBody(kind, text), createdAt: now, sendAfter: now };
      await tx.alertMessage.create({ data: row });
      queued.set(id, messageId);
    }
  }
  return queued;
}
