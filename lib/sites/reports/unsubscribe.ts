import { createHmac, timingSafeEqual } from "node:crypto";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { derivedKey, derivedKeys } from "@/lib/platform/secrets";
import type { Cadence } from "@/lib/sites/reports/period";
import { unsubscribe } from "@/lib/sites/reports/subscriptions";

/** Links that end emails without a sign-in: reports of members and of other recipients, and alerts. */

export type EndedEmail =
  | { kind: "member"; siteId: number; personId: number; cadence: Cadence }
  | { kind: "recipient"; recipientId: number; cadence: Cadence }
  | { kind: "alert"; channelId: number };

const textOf = (ended: EndedEmail): string => {
  if (ended.kind === "alert") return `a${ended.channelId}`;
  if (ended.kind === "recipient") return `r${ended.recipientId}-${ended.cadence}`;
  return `${ended.siteId}-${ended.personId}-${ended.cadence}`;
};

const macOf = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest().subarray(0, 16);

/** Returns the token of an unsubscribe link. It stays valid until `APP_SECRETS` are rotated out. */
export function unsubscribeToken(ended: EndedEmail): string {
  const text = textOf(ended);
  return `${text}-${macOf(derivedKey("unsubscribe"), text).toString("hex")}`;
}

const TOKEN =
  /^((?:a(?<channel>\d{1,10})|r(?<recipient>\d{1,10})-(?<of>daily|weekly|monthly)|(?<site>\d{1,10})-(?<person>\d{1,10})-(?<cadence>daily|weekly|monthly)))-(?<mac>[0-9a-f]{32})$/;

/** Returns what an unsubscribe token ends; null if the token is invalid. */
export function readUnsubscribeToken(token: string): EndedEmail | null {
  const found = TOKEN.exec(token);
  const { channel, recipient, of, site, person, cadence, mac = "" } = found?.groups ?? {};
  const given = Buffer.from(mac, "hex");
  const text = found?.[1] ?? "";
  const isValid =
    given.length === 16 && derivedKeys("unsubscribe").some((key) => timingSafeEqual(macOf(key, text), given));
  if (!isValid) return null;
  if (channel) return { kind: "alert", channelId: Number(channel) };
  if (recipient) return { kind: "recipient", recipientId: Number(recipient), cadence: of as Cadence };
  return { kind: "member", siteId: Number(site), personId: Number(person), cadence: cadence as Cadence };
}

/** Returns the unsubscribe links of an email: the page with a button, and the one-click endpoint (RFC 8058). */
export const unsubscribeLinks = (token: string) => ({
  page: `${env().BASE_URL}/unsubscribe/${token}`,
  oneClick: `${env().BASE_URL}/api/unsubscribe/${token}`,
});

/** Ends these emails. Does nothing if they have ended. A recipient without emails is forgotten. */
export async function endEmails(ended: EndedEmail): Promise<void> {
  if (ended.kind === "member") return unsubscribe(ended);
  if (ended.kind === "alert") {
    await db().alertChannel.deleteMany({ where: { id: ended.channelId, kind: "email" } });
    return;
  }
  const { recipientId, cadence } = ended;
  await db().recipientReport.deleteMany({ where: { recipientId, cadence } });
}

/** Returns the site of these emails, and the name of the rule that sends alerts; null if they have ended. */
export async function describeEnded(ended: EndedEmail): Promise<{ siteId: number; rule: string } | null> {
  if (ended.kind === "member") return { siteId: ended.siteId, rule: "" };
  if (ended.kind === "alert") {
    const channel = await db().alertChannel.findUnique({
      where: { id: ended.channelId },
      select: { rule: { select: { name: true, siteId: true } } },
    });
    return channel && { siteId: channel.rule.siteId, rule: channel.rule.name };
  }
  const recipient = await db().recipient.findUnique({ where: { id: ended.recipientId }, select: { siteId: true } });
  return recipient && { siteId: recipient.siteId, rule: "" };
}
