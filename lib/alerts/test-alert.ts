import { z } from "zod";
import { ALERT_CHANNELS, type ChannelKind, isChat } from "@/lib/alerts/channels";
import { sendAlertNow } from "@/lib/alerts/deliver";
import { measureText } from "@/lib/alerts/judge-value";
import { notifyAlert } from "@/lib/alerts/notify";
import { requireRule } from "@/lib/alerts/rules";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { deliverNow } from "@/lib/monitoring/deliver";
import { HOUR_MS } from "@/lib/platform/durations";
import { requireRate } from "@/lib/platform/rate";

/** Tests of one caller, and of one rule, within an hour. */
const TESTS = { caller: 20, rule: 5 };

const kinds = Object.keys(ALERT_CHANNELS) as [ChannelKind, ...ChannelKind[]];
export const alertTestShape = z.object({
  channels: z.array(
    z.object({
      channel_id: z.int().meta({ examples: [5] }),
      kind: z.enum(kinds),
      outcome: z
        .string()
        .meta({ description: "Queued for email; what chats and webhooks answered", examples: ["Answered 200"] }),
    }),
  ),
});
export type TestAnswer = z.infer<typeof alertTestShape>;

/**
 * Sends a marked test to all channels of a rule.
 *
 * @throws Refusal `rate_limited` after 5 tests of a rule or 20 of a caller in an hour, `not_found`
 */
export async function testRule({ db, site, principal, now }: SiteWork, id: number): Promise<TestAnswer> {
  const rule = await requireRule(db, site.id, id);
  const caller = principal.kind === "client" ? principal.clientId : `${principal.personId}`;
  const tooMany = "Too many tests within an hour. Wait, then try again.";
  await requireRate(`alert-test:${caller}`, TESTS.caller, HOUR_MS, now, tooMany);
  await requireRate(`alert-test-rule:${id}`, TESTS.rule, HOUR_MS, now, tooMany);
  const metric = rule.metric as Measure;
  const value = rule.threshold ?? 0;
  const seen = `${MEASURES[metric].label}: ${measureText(metric, value, site.currency)}, as an example.`;
  const queued = await notifyAlert(db, rule, { start: now, end: now, value, seen, isTest: true }, now);
  const outcomeOf = async (kind: ChannelKind, message: string | null): Promise<string> => {
    if (message === null) return kind === "email" ? "The address has not confirmed" : "The site has no webhook";
    if (kind === "email") return "Queued";
    const outcome = isChat(kind) ? await sendAlertNow(message, now) : await deliverNow(message, now);
    return outcome ?? "Another process sends it";
  };
  const channels = await Promise.all(
    rule.channels.map(async ({ id: channel_id, kind }) => ({
      channel_id,
      kind,
      outcome: await outcomeOf(kind, queued.get(channel_id) ?? null),
    })),
  );
  return { channels };
}
