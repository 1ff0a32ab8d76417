import { rounded } from "@/lib/analytics/money/amounts";
import { unconvertedOf, unconvertedSql } from "@/lib/analytics/money/sales";
import type { BreakdownKey } from "@/lib/analytics/query/dimensions";
import type { Goal } from "@/lib/analytics/query/goals";
import { type Group, groupsSql } from "@/lib/analytics/query/groups";
import { knownCounts } from "@/lib/analytics/query/metrics";
import { queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import {
  furtherOutcomes,
  type OutcomeQuestion,
  type OutcomeSums,
  outcomeQuestion,
  outcomeTables,
} from "@/lib/analytics/reports/outcomes";
import { type CampaignTag, TAGS } from "@/lib/analytics/reports/trend";
import type { Money } from "@/lib/contract/fields";
import { raw, type Sql, sql } from "@/lib/platform/sql";

/** What campaigns and channels brought: visits where they began, visitors, events and revenue where they happened. */

export interface Acquisition {
  visitors: number;
  /** Null, as page views, where only an import knows of them and lacks the count. */
  visits: number | null;
  bounces: number;
  /** Visits whose bounces are known. */
  bounceVisits: number;
  pageviews: number | null;
  conversions: number;
  converters: number;
  /** Decimal text in the reporting currency. */
  revenue: string;
  /** The same of the goals that were reached; null where no goal has a value. */
  worth: string | null;
}

/** The five words of a campaign; null where it has none. */
export type CampaignWords = Record<CampaignTag, string | null>;
export type CampaignRow = CampaignWords & Acquisition;

export interface ChannelRow extends Acquisition {
  channel: string | null;
  /** How many visits each rule put into it, most first. */
  rules: { rule: string; visits: number }[];
}

export interface CampaignsReport {
  /** Those with the most visitors. */
  campaigns: CampaignRow[];
  /** All of them, most visitors first. */
  channels: ChannelRow[];
  unconverted: Money[];
}

const MOST_CHANNELS = 100;
const BY_TAGS = TAGS.map((tag): BreakdownKey => `utm_${tag}`);
const MOST_VISITORS = raw("visitors DESC, visits DESC");
const ACQUIRED = ["visits", "counts"] as const;

/**
 * @param goals of the site; what converts.
 * @param limit of the campaigns.
 * @param among only these campaigns.
 */
export async function campaignsOf(
  scope: Scope,
  goals: readonly Goal[],
  limit: number,
  among: readonly CampaignWords[] | null = null,
): Promise<CampaignsReport> {
  const question = await outcomeQuestion(scope, ["conversions", "conversion_value", "revenue"], goals);
  const tagged = withCampaign(scope);
  const [, channels, rules, unconverted, , campaigns] = (await queryCopy(
    scope,
    ...outcomeTables(question, BY_TAGS),
    groupsSql(scope, {
      by: ["channel"],
      parts: ACQUIRED,
      further: {
        ...furtherOutcomes(question, ["channel"]),
        // The first visit may lie before the range, so that its channel has no visit in it.
        ...(scope.attribution === "last" && { having: sql`false` }),
      },
      order: MOST_VISITORS,
      limit: MOST_CHANNELS,
    }),
    rulesSql(scope),
    unconvertedSql(scope, question.rates ?? []),
    // Only now, because an order that is sent again counts for the visit that brought it first.
    sql`DELETE FROM sale WHERE campaign = 0`,
    groupsSql(tagged, {
      by: BY_TAGS,
      parts: ACQUIRED,
      further: {
        ...furtherOutcomes({ ...question, scope: tagged }, BY_TAGS),
        ...(scope.attribution === "last" && { having: sql`sum(partial.conversions) > 0` }),
      },
      having: sql`sum(visitors) + sum(visits) + sum(pageviews) > 0`,
      order: MOST_VISITORS,
      limit,
      ...(among && { among: among.map((row) => TAGS.map((tag) => row[tag])) }),
    }),
  )) as unknown as Rows;
  return {
    campaigns: campaigns.map((row) => ({ ...tagsOf(row), ...acquisitionOf(row, question) })),
    channels: channels.map((row) => ({
      channel: row.values[0] ?? null,
      rules: rules.flatMap(({ channel, ...rule }) => (channel === row.values[0] ? [rule] : [])),
      ...acquisitionOf(row, question),
    })),
    unconverted: unconvertedOf(unconverted),
  };
}

type Acquired = Group & OutcomeSums;
type Rows = [
  unknown[],
  Acquired[],
  { channel: string | null; rule: string; visits: number }[],
  { currency: string; amount: string }[],
  unknown[],
  Acquired[],
];

/** The same scope of the visits with a campaign. */
function withCampaign(scope: Scope): Scope {
  const condition = sql`fact.campaign <> 0`;
  const { visit, shared } = scope.filters;
  return { ...scope, filters: { ...scope.filters, visit: [...visit, condition], shared: [...shared, condition] } };
}

const tagsOf = ({ values }: Group) =>
  Object.fromEntries(TAGS.map((tag, index) => [tag, values[index] ?? null])) as CampaignWords;

const acquisitionOf = (row: Acquired, { scope, valued }: OutcomeQuestion): Acquisition => ({
  visitors: row.visitors,
  ...knownCounts(row),
  bounces: row.bounces,
  bounceVisits: row.bounceVisits,
  conversions: row.conversions,
  converters: row.converters,
  revenue: rounded(row.revenue, scope.currency),
  worth: valued.length > 0 ? rounded(row.worth, scope.currency) : null,
});

/** Which rules chose the channels of the visits. */
const rulesSql = (scope: Scope): Sql => sql`
  SELECT nullif(words.channel, '') AS channel, words.rule, sum(counted.visits)::BIGINT AS visits
  FROM (SELECT fact.referrer, count(*) AS visits FROM visit AS fact WHERE ${visitsIn(scope)} GROUP BY ALL) AS counted
  JOIN referrer AS words ON words.id = counted.referrer WHERE words.id <> 0
  GROUP BY ALL ORDER BY visits DESC, rule`;
