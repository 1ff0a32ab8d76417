import { randomUUID } from "node:crypto";
import { chatBody, isChat } from "@/lib/alerts/channels";
import type { RuleRow } from "@/lib/alerts/rules";
import { seenInWords } from "@/lib/contract/seen-words";
import { unlink } from "@/lib/email/links";
import { queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { queueDelivery } from "@/lib/monitoring/webhooks";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";
import { confirmedAmong, languageOfRecipient } from "@/lib/sites/reports/recipients";
import { unsubscribeLinks, unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { t } from "@/lib/texts/translate";

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
  const { isTest } = alert;
  const name = quoteName(rule.name);
  const creator =
    rule.createdById === null
      ? null
      : await tx.person.findUnique({ where: { id: rule.createdById }, select: { language: true } });
  const queued = new Map<number, string | null>();
  for (const { id, kind, email } of rule.channels) {
    queued.set(id, null);
    if (email && confirmed.has(email)) {
      const links = unsubscribeLinks(unsubscribeToken({ kind: "alert", channelId: id }));
      const language = (await languageOfRecipient(tx, rule.siteId, email)) ?? creator?.language ?? null;
      const message = writeEmail({ email, language }, () => ({
        subject: isTest ? t("Test of an alert: {name}, {domain}", { name, domain }) : `${name}, ${domain}`,
        paragraphs: [
          isTest
            ? t("Test of an alert: {name} on {domain}.", { name, domain })
            : t("{name} on {domain}.", { name, domain }),
          unlink(seenInWords(alert.seen)),
          ...(isTest ? [t("Somebody tests this alert. Nothing has happened.")] : []),
          t("Alerts of the site, for its members: {url}", { url }),
          t("Unsubscribe: {url}", { url: links.page }),
        ],
        why: t("this address gets alerts of {domain}", { domain }),
        kept,
      }));
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
        goal: rule.goal,
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
      const text = `${isTest ? "Test of an alert: " : ""}${name} on ${unlink(domain, kept)}\n${unlink(alert.seen)}\n${url}`;
      const messageId = randomUUID();
      const row = { id: messageId, channelId: id, body: chatBody(kind, text), createdAt: now, sendAfter: now };
      await tx.alertMessage.create({ data: row });
      queued.set(id, messageId);
    }
  }
  return queued;
}
