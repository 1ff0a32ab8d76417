import { z } from "zod";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { conversionBasis, convertingGoals } from "@/lib/analytics/query/goals";
import { count, countIfKnown, ratio } from "@/lib/analytics/query/metrics";
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
  type CampaignTag,
  seriesOf,
  seriesShape,
  TAGS,
  type Trend,
  tagFields,
  trendOf,
  type VisitsOf,
  visitsByCampaign,
  visitsByReferrer,
  visitsByWord,
  visitsInBuckets,
} from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import {
  about,
  answeredGoal,
  attribution,
  CONVERSION_BASES,
  chosenGoal,
  conversionValue,
  euros,
  metaShape,
  moneyShape,
  reportFields,
  unconverted,
} from "@/lib/contract/fields";
import { channelRuleOf } from "@/lib/ingest/enrich/channels";

const MAX_ROWS = 500;
const MAX_SERIES = 5;

const channel = z
  .string()
  .nullable()
  .meta({ examples: ["Organic Search"] });
const visitsInBucket = z.int().meta({ examples: [9] });
const numberFields = {
  visitors: count("visitors"),
  visits: countIfKnown("visits"),
  bounce_rate: ratio("bounce_rate"),
  pageviews: countIfKnown("pageviews"),
  conversions: about(z.int(), "Converting events, as defined by `conversions_of`", 11),
  converters: about(z.int(), "Unique visitors who converted, summed over local days", 9),
  conversion_rate: about(
    z.number().nullable(),
    "Converters divided by visitors, at most 1; null without visitors",
    0.07,
  ),
  revenue: about(
    moneyShape,
    "Revenue of its visits. An order that is sent twice counts once; refunds are subtracted",
    euros("441.00"),
  ),
  conversion_value: conversionValue,
};
const campaignShape = z
  .object({ ...tagFields, ...numberFields })
  .meta({ description: "UTM tags of the visit's first page; null for a missing tag" });
const channelShape = z.object({
  channel,
  rules: z
    .array(
      z.object({
        rule: z.string().meta({ examples: ["organic_search"] }),
        when: about(
          z.string().nullable(),
          "When the rule applies; null for a rule of an earlier version",
          "the source is a search engine",
        ),
        visits: z.int().meta({ examples: [161] }),
      }),
    )
    .meta({ description: "The rules that assigned visits to this channel, with the number of visits" }),
  ...numberFields,
});

export default defineOperation({
  id: "analytics.campaigns",
  title: "Campaigns",
  about:
    "Visits, bounces, conversions and revenue of each campaign and channel, with the rule that chose the channel. Campaign and channel are those of the visit.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    goal: chosenGoal("Name of a goal or event; conversions, their rate and value are those of this one"),
    attribution,
  }),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    conversions_of: z.enum(CONVERSION_BASES).meta({
      description:
        "What a conversion is. goal: an event that reaches the chosen goal. goals: an event that reaches any goal of the site. events, for a site without goals: any custom or commerce event that is neither passive nor a refund",
    }),
    goal: answeredGoal,
    campaigns: z.array(campaignShape).meta({ description: "Visits without any tag are not included" }),
    channels: z.array(channelShape),
    comparison: z
      .object({ campaigns: z.array(campaignShape.nullable()), channels: z.array(channelShape.nullable()) })
      .nullable()
      .meta({
        description:
          "The comparison range: one row for each row of `campaigns` and `channels`, null if it has no such row",
      }),
    unconverted,
    series: seriesShape(
      {
        visits: about(visitsInBucket, "All visits that started in the bucket"),
        channels: z.array(z.object({ channel, visits: visitsInBucket })).meta({
          description: "Visits of the five channels with the most visits in the range",
        }),
        campaigns: z.array(z.object({ ...tagFields, visits: visitsInBucket })).meta({
          description: "Visits of the five campaigns with the most visits in the range",
        }),
      },
      "The range in buckets",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const goals = await convertingGoals(site.id, input.goal ?? null);
    const { basis, goal } = conversionBasis(goals, input.goal ?? null);
    const trend = trendOf(scope, now);
    const [{ campaigns, channels, unconverted }, visits, tagged] = await Promise.all([
      campaignsOf(scope, goals, MAX_ROWS + 1),
      visitsByReferrer(scope, trend, ["channel"]),
      visitsByCampaign(scope, trend, MAX_SERIES),
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
      conversions_of: basis,
      goal,
      campaigns: rows.map((row) => campaignOf(row, scope)),
      channels: channels.map((row) => channelOf(row, scope)),
      comparison: before && matchingRows(rows, channels, before, await campaignsOf(before, goals, rows.length, rows)),
      unconverted,
      series: seriesOfVisits(trend, visits, tagged),
    };
  },
});

function seriesOfVisits(
  trend: Trend,
  visits: readonly VisitsOf<"channel">[],
  tagged: readonly VisitsOf<CampaignTag>[],
) {
  const all = visitsInBuckets(trend, visits);
  const channels = visitsByWord(trend, visits, ["channel"]).slice(0, MAX_SERIES);
  const campaigns = visitsByWord(trend, tagged, TAGS);
  return seriesOf(trend, (bucket) => ({
    visits: all[bucket] ?? 0,
    channels: channels.map(({ channel, buckets }) => ({ channel, visits: buckets[bucket] ?? 0 })),
    campaigns: campaigns.map(({ source, medium, campaign, term, content, buckets }) => ({
      source,
      medium,
      campaign,
      term,
      content,
      visits: buckets[bucket] ?? 0,
    })),
  }));
}

/** Returns the rows of the comparison range that match the given campaigns and channels. */
function matchingRows(
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

const keyOf = (row: CampaignWords): string => JSON.stringify(TAGS.map((tag) => row[tag]));

const campaignOf = ({ source, medium, campaign, term, content, ...numbers }: CampaignRow, scope: Scope) => ({
  source,
  medium,
  campaign,
  term,
  content,
  ...withRates(numbers, scope),
});

const channelOf = ({ channel, rules, ...numbers }: ChannelRow, scope: Scope) => ({
  channel,
  rules: rules.map(({ rule, visits }) => ({ rule, when: channelRuleOf(rule)?.when ?? null, visits })),
  ...withRates(numbers, scope),
});

const withRates = ({ bounces, bounceVisits, revenue, worth, ...numbers }: Acquisition, { currency }: Scope) => ({
  ...numbers,
  bounce_rate: bounceVisits > 0 ? bounces / bounceVisits : null,
  conversion_rate: conversionRate(numbers.converters, numbers.visitors),
  revenue: { amount: revenue, currency },
  conversion_value: worth === null ? null : { amount: worth, currency },
});
