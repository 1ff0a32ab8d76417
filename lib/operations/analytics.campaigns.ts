import { z } from "zod";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { goalsOf } from "@/lib/analytics/query/goals";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import {
  type Acquisition,
  type CampaignRow,
  type CampaignsReport,
  type CampaignWords,
  type ChannelRow,
  campaignsOf,
} from "@/lib/analytics/reports/campaigns";
import {
  type CampaignVisits,
  most,
  type ReferredVisits,
  seriesOf,
  seriesShape,
  type Trend,
  trendOf,
  visitsByCampaign,
  visitsByReferrer,
  visitsInBucket,
} from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, moneyShape, reportFields, untrusted } from "@/lib/contract/fields";
import { METRICS } from "@/lib/contract/vocabulary";
import { channelRuleOf } from "@/lib/ingest/enrich/channels";

const MAX_ROWS = 500;
const MAX_SERIES = 5;

const numberFields = {
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
const tagFields = {
  source: untrusted.nullable(),
  medium: untrusted.nullable(),
  campaign: untrusted.nullable(),
  term: untrusted.nullable(),
  content: untrusted.nullable(),
};
const campaignShape = z
  .object({ ...tagFields, ...numberFields })
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
  ...numberFields,
});

export default defineOperation({
  id: "analytics.campaigns",
  title: "Campaigns",
  about:
    "What every campaign and every channel led to: visits, bounces, conversions and revenue, and which rule chose the channel. The campaign and channel are those of the visit.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
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
    series: seriesShape(
      {
        visits: z.int().meta({ description: "All visits that began in the bucket" }),
        channels: z.array(z.object({ channel: z.string().nullable(), visits: z.int() })).meta({
          description: "Of these, the visits of the five channels with the most visits of the range",
        }),
        campaigns: z.array(z.object({ ...tagFields, visits: z.int() })).meta({
          description: "Of these, the visits of the five campaigns with the most visits of the range",
        }),
      },
      "The range bucket by bucket",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const goals = await goalsOf(site.id);
    const trend = trendOf(scope, now);
    const [{ campaigns, channels, unconverted }, visits, tagged] = await Promise.all([
      campaignsOf(scope, goals, MAX_ROWS + 1),
      visitsByReferrer(scope, trend),
      visitsByCampaign(scope, trend),
    ]);
    const rows = campaigns.slice(0, MAX_ROWS);
    return {
      meta: {
        ...meta,
        conversion_unit: "events" as const,
        interval: trend.interval,
        row_limit: MAX_ROWS,
        truncated: campaigns.length > MAX_ROWS,
      },
      conversions_of: goals.length > 0 ? ("goals" as const) : ("events" as const),
      campaigns: rows.map((row) => campaignOf(row, scope)),
      channels: channels.map((row) => channelOf(row, scope)),
      comparison: before && beside(rows, channels, before, await campaignsOf(before, goals, rows.length, rows)),
      unconverted,
      series: seriesOfVisits(trend, visits, tagged),
    };
  },
});

const wordsOf = ({ source, medium, campaign, term, content }: CampaignWords) => [
  source,
  medium,
  campaign,
  term,
  content,
];

function seriesOfVisits(trend: Trend, visits: readonly ReferredVisits[], tagged: readonly CampaignVisits[]) {
  const channels = most(visits, ({ channel }) => [channel], MAX_SERIES);
  const campaigns = most(tagged, wordsOf, MAX_SERIES);
  return seriesOf(trend, (bucket) => ({
    visits: visitsInBucket(visits, bucket),
    channels: channels.map(([channel = null]) => ({
      channel,
      visits: visitsInBucket(visits, bucket, (row) => row.channel === channel),
    })),
    campaigns: campaigns.map((words) => {
      const [source = null, medium = null, campaign = null, term = null, content = null] = words;
      const isIt = (row: CampaignVisits) => wordsOf(row).every((word, index) => word === words[index]);
      return { source, medium, campaign, term, content, visits: visitsInBucket(tagged, bucket, isIt) };
    }),
  }));
}

/** The rows of another range, each beside the one of its words. */
function beside(
  campaigns: readonly CampaignWords[],
  channels: readonly ChannelRow[],
  before: Scope,
  earlier: CampaignsReport,
) {
  const known = new Map(earlier.campaigns.map((row) => [keyOf(row), campaignOf(row, before)]));
  const knownChannels = new Map(earlier.channels.map((row) => [row.channel, channelOf(row, before)]));
  return {
    campaigns: campaigns.map((row) => known.get(keyOf(row)) ?? null),
    channels: channels.map(({ channel }) => knownChannels.get(channel) ?? null),
  };
}

const keyOf = ({ source, medium, campaign, term, content }: CampaignWords): string =>
  JSON.stringify([source, medium, campaign, term, content]);

const campaignOf = ({ source, medium, campaign, term, content, ...numbers }: CampaignRow, scope: Scope) => ({
  ...{ source, medium, campaign, term, content },
  ...withRates(numbers, scope),
});

const channelOf = ({ channel, rules, ...numbers }: ChannelRow, scope: Scope) => ({
  channel,
  rules: rules.map(({ rule, visits }) => ({ rule, when: channelRuleOf(rule)?.when ?? null, visits })),
  ...withRates(numbers, scope),
});

const withRates = ({ bounces, revenue, ...numbers }: Acquisition, { currency }: Scope) => ({
  ...numbers,
  bounce_rate: numbers.visits > 0 ? bounces / numbers.visits : null,
  conversion_rate: conversionRate(numbers.converters, numbers.visitors),
  revenue: { amount: revenue, currency },
});
