import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { integerId, optionalParam } from "@/lib/contract/fields";
import { hostOf, webhookUrl } from "@/lib/monitoring/webhooks";
import type { Db, Prisma } from "@/lib/platform/db";
import { seal, unseal } from "@/lib/platform/secrets";

/** Where alerts go: confirmed addresses, the webhook of the site, and incoming webhooks of chats. */

export const ALERT_CHANNELS = {
  email: "Email",
  webhook: "Webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
} as const;
export type ChannelKind = keyof typeof ALERT_CHANNELS;
const kinds = Object.keys(ALERT_CHANNELS) as [ChannelKind, ...ChannelKind[]];

export const isChat = (kind: ChannelKind): kind is "slack" | "teams" | "discord" =>
  kind === "slack" || kind === "teams" || kind === "discord";

const channelId = integerId("must be the id of a channel of the rule, from sites.alerts.list");

/** A channel as callers give it. */
export const channelInput = z
  .strictObject(
    {
      kind: z.enum(kinds, `must be one of ${kinds.join(", ")}`),
      email: optionalParam(emailAddress).meta({
        description:
          "For email: a member's confirmed address, or one that sites.reports.recipients.add has added and that has confirmed",
        examples: ["team@example.com"],
      }),
      url: optionalParam(webhookUrl).meta({
        description:
          "For slack, teams and discord: the address of the incoming webhook. It is a secret: it is stored sealed and no answer has it",
        examples: ["https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX"],
      }),
      channel_id: optionalParam(channelId).meta({
        description: "For slack, teams and discord: a channel of this rule whose address stays, instead of `url`",
      }),
    },
    'must be an object such as {"kind": "webhook"}',
  )
  .superRefine(({ kind, email, url, channel_id }, check) => {
    const fault = (path: string, message: string) => check.addIssue({ code: "custom", path: [path], message });
    if (kind === "email" && !email) fault("email", "must be an email address for email");
    if (kind !== "email" && email) fault("email", "must be left out: it goes with email only");
    if (isChat(kind) && !url && !channel_id) fault("url", `must be a URL for ${kind}, unless channel_id keeps one`);
    if (!isChat(kind) && url) fault("url", "must be left out: it goes with slack, teams and discord only");
    if (channel_id && (url || !isChat(kind)))
      fault("channel_id", "must be left out: it goes with slack, teams and discord without url only");
  });
export type ChannelInput = z.output<typeof channelInput>;

/** A channel in API responses. The address of a chat is shown without its secret. */
export const channelShape = z
  .object({
    channel_id: channelId.meta({ examples: [5] }),
    kind: z.enum(kinds),
    email: z
      .string()
      .nullable()
      .meta({ description: "Null for roles below manager", examples: [null] }),
    url: z
      .string()
      .nullable()
      .meta({ description: "Masked: only the host is shown", examples: ["https://hooks.slack.com/…"] }),
  })
  .meta({ id: "AlertChannel" });

type Row = Prisma.AlertChannelGetPayload<object>;

const masked = (host: string) => `https://${host}/…`;

export const describeChannel = ({ id, kind, email, host }: Row, showsEmail: boolean): z.input<typeof channelShape> => ({
  channel_id: id,
  kind,
  email: showsEmail ? email : null,
  url: host && masked(host),
});

/** Returns where a channel leads, without secrets: for approvals and pages. */
export const nameOfChannel = (channel: Pick<ChannelInput, "kind" | "email" | "url">): string =>
  [ALERT_CHANNELS[channel.kind], channel.email ?? (channel.url ? masked(hostOf(channel.url)) : null)]
    .filter(Boolean)
    .join(": ");

/**
 * Sends a person's alerts to their new address, on all sites of which they are a member. Where somebody has added the former
 * one as a recipient, it still gets them.
 */
export async function moveAlerts(
  tx: Db,
  personId: number,
  { former, email }: { former: string; email: string },
): Promise<void> {
  const site = {
    memberships: { some: { personId } },
    recipients: { none: { email: former, confirmedAt: { not: null } } },
  };
  const ofMine = { email: former, rule: { site } };
  const twice = { email: former, rule: { site, channels: { some: { email } } } };
  await tx.alertChannel.deleteMany({ where: twice });
  await tx.alertChannel.updateMany({ where: ofMine, data: { email } });
}

/** A sealed address opens in rows of its rule only. */
const sealContext = (ruleId: number) => `alert.url:${ruleId}`;

export const sealedUrl = (url: string, ruleId: number) => ({
  host: hostOf(url),
  url: new Uint8Array(seal(Buffer.from(new URL(url).href), sealContext(ruleId))),
});

export const openUrl = (sealed: Uint8Array, ruleId: number): string => unseal(sealed, sealContext(ruleId)).toString();

/**
 * Returns the message of a chat in its documented form: Slack's incoming webhooks, Teams' workflows with an adaptive
 * card, and Discord's execute webhook. Text of people mentions nobody.
 */
export function chatBody(kind: "slack" | "teams" | "discord", text: string): string {
  if (kind === "slack") {
    const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return JSON.stringify({ text: escaped });
  }
  if (kind === "discord") return JSON.stringify({ content: text.slice(0, 2000), allowed_mentions: { parse: [] } });
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: text.split("\n").map((line) => ({ type: "TextBlock", text: line, wrap: true })),
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card };
  return JSON.stringify({ type: "message", attachments: [attachment] });
}
