import { z } from "zod";
import {
  type CampaignWords,
  type ChannelRow,
  campaignRows,
  channelRows,
  type Led,
  leadingTo,
} from "@/lib/analytics/campaigns";
import { conversionRate, goalsOf, type Reached } from "@/lib/analytics/conversions";
import { moneyShape } from "@/lib/analytics/money";
import { ask, type Scope } from "@/lib/analytics/question";
import { salesOf, unconvertedOf } from "@/lib/analytics/sales";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, questionFields, untrusted } from "@/lib/contract/fields";
import { METRICS } from "@/lib/contract/vocabulary";
import { channelRuleOf } from "@/lib/ingest/channels";

const MOST_ROWS = 500;

const ledFields = {
  visitors: z.int().meta({ description: METRICS.visitors.about }),
  visits: z.int().meta({ description: METRICS.visits.about }),
  bounce_rate: z.number().nullable().meta({ description: METRICS.bounce_rate.about }),
  pageviews: z.int().meta({ description: METRICS.pageviews.about }),
  conversions: z.int().meta({ description: "Events that converted; `conversions_of` says which these are" }),
  converters: z.int().meta({ description: "Distinct visitors who converted, added up over the local days" }),
  conversion_rate: z
    .number()
    .nullable()
    .meta({ description: "Converters divided by visitors, at most 1; null without visitors" }),
  revenue: moneyShape.meta({
    description: "What its visits brought in; an order that was sent twice counts once, refunds count negative",
  }),
};
const campaignShape = z
  .object({
    source: untrusted.nullable(),
    medium: untrusted.nullable(),
    campaign: untrusted.nullable(),
    term: untrusted.nullable(),
    content: untrusted.nullable(),
    ...ledFields,
  })
  .meta({ description: "The tags of the visit's first page; null where it has none" });
const channelShape = z.object({
  channel: z.string().nullable(),
  rules: z
    .array(
      z.object({
        rule: z.string(),
        when: z.string().nullable().meta({ description: "When the rule fits; null for one of an earlier edition" }),
        visits: z.int(),
      }),
    )
    .meta({ description: "Which rules put how many of the visits into this channel" }),
  ...ledFields,
});

export default defineOperation({
  id: "analytics.campaigns",
  title: "Campaigns",
  about:
    "What every campaign and every channel led to: visits, bounces, conversions and revenue, and which rule chose the channel. The campaign and channel are those of the visit.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(questionFields),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    conversions_of: z.enum(["goals", "events"]).meta({
      description:
        "What a conversion is: an event that reaches any of the site's goals or, where it has none, any custom or commerce event that is neither passive nor a refund",
    }),
    campaigns: z.array(campaignShape).meta({ description: "Visits that came without any tag are in none of them" }),
    channels: z.array(channelShape),
    comparison: z
      .object({ campaigns: z.array(campaignShape.nullable()), channels: z.array(channelShape.nullable()) })
      .nullable()
      .meta({
        description: "The comparison range: a row beside each of `campaigns` and `channels`, null where it has none",
      }),
    unconverted: z.array(moneyShape).meta({
      description: "Revenue that is in no number above, because no rate of its currency is known for its day",
    }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await ask(input, site, now);
    const [sales, goals] = await Promise.all([salesOf(scope), goalsOf(site.id)]);
    const leading = await leadingTo(sales, goals);
    const [campaigns, channels, unconverted] = await Promise.all([
      campaignRows(leading, MOST_ROWS + 1),
      channelRows(leading),
      unconvertedOf(sales),
    ]);
    const rows = campaigns.slice(0, MOST_ROWS);
    return {
      meta: {
        ...meta,
        conversion_unit: "events" as const,
        row_limit: MOST_ROWS,
        truncated: campaigns.length > MOST_ROWS,
      },
      conversions_of: goals.length > 0 ? ("goals" as const) : ("events" as const),
      campaigns: rows.map((row) => tellCampaign(row, scope)),
      channels: channels.map((row) => tellChannel(row, scope)),
      comparison: before && (await beside(rows, channels, before, goals)),
      unconverted,
    };
  },
});

async function beside(
  campaigns: readonly CampaignWords[],
  channels: readonly ChannelRow[],
  before: Scope,
  goals: readonly Reached[],
) {
  const leading = await leadingTo(await salesOf(before), goals);
  const [earlier, led] = await Promise.all([campaignRows(leading, campaigns.length, campaigns), channelRows(leading)]);
  const known = new Map(earlier.map((row) => [keyOf(row), tellCampaign(row, before)]));
  const knownChannels = new Map(led.map((row) => [row.channel, tellChannel(row, before)]));
  return {
    campaigns: campaigns.map((row) => known.get(keyOf(row)) ?? null),
    channels: channels.map(({ channel }) => knownChannels.get(channel) ?? null),
  };
}

const keyOf = ({ source, medium, campaign, term, content }: CampaignWords): string =>
  JSON.stringify([source, medium, campaign, term, content]);

const tellCampaign = ({ source, medium, campaign, term, content, ...led }: CampaignWords & Led, scope: Scope) => ({
  ...{ source, medium, campaign, term, content },
  ...tellLed(led, scope),
});

const tellChannel = ({ channel, rules, ...led }: ChannelRow, scope: Scope) => ({
  channel,
  rules: rules.map(({ rule, visits }) => ({ rule, when: channelRuleOf(rule)?.when ?? null, visits })),
  ...tellLed(led, scope),
});

const tellLed = ({ bounces, revenue, ...led }: Led, { currency }: Scope) => ({
  ...led,
  bounce_rate: led.visits > 0 ? bounces / led.visits : null,
  conversion_rate: conversionRate(led.converters, led.visitors),
  revenue: { amount: revenue, currency },
});
