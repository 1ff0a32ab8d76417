import { noMoney, rounded } from "@/lib/analytics/money/amounts";
import { type Rates, ratesFor } from "@/lib/analytics/money/rates";
import { revenueBy, salesTable, unconvertedOf, unconvertedSql } from "@/lib/analytics/money/sales";
import { converting } from "@/lib/analytics/query/conversions";
import { numbersOf, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/query/event-types";
import type { Goal } from "@/lib/analytics/query/goals";
import { groupsSql, isAmong } from "@/lib/analytics/query/groups";
import { knownCounts, type Sums } from "@/lib/analytics/query/metrics";
import { eventsIn, query, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { BOUNCED, PRESENT, VISITOR } from "@/lib/analytics/query/sums-sql";
import { TAGS, type Tag } from "@/lib/analytics/reports/trend";
import type { Money } from "@/lib/contract/fields";
import { empty, raw, type Sql, sql } from "@/lib/platform/sql";

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
}

/** The five words of a campaign; null where it has none. */
export type CampaignWords = Record<Tag, string | null>;
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
  const rates = await ratesFor(scope);
  const [, campaigns, channels, conversions, rules, unconverted] = (await query(
    scope,
    salesTable(scope),
    campaignsSql(scope, rates, converting(goals), limit, among),
    groupsSql(scope, {
      by: ["channel"],
      parts: ["visits", "counts"],
      order: raw("visitors DESC, visits DESC"),
      limit: MOST_CHANNELS,
    }),
    conversionsByChannel(scope, rates, converting(goals)),
    rulesSql(scope),
    unconvertedSql(scope, rates),
  )) as unknown as Rows;
  return {
    campaigns: campaigns.map((row) => ({ ...row, revenue: rounded(row.revenue, scope.currency) })),
    channels: channelsOf(channels, conversions, rules, scope),
    unconverted: unconvertedOf(unconverted),
  };
}

/** With an exact sum. */
type Raw<Row extends { revenue: string }> = Omit<Row, "revenue"> & { revenue: string | null };
type Converted = Raw<Pick<ChannelRow, "channel" | "conversions" | "converters" | "revenue">>;
interface RuleRow {
  channel: string | null;
  rule: string;
  visits: number;
}
type Rows = [
  unknown[],
  Raw<CampaignRow>[],
  (Sums & { values: [string | null] })[],
  Converted[],
  RuleRow[],
  { currency: string; amount: string }[],
];

const words = TAGS.map((tag) => raw(tag));

function campaignsSql(
  scope: Scope,
  rates: Rates,
  converts: Sql,
  limit: number,
  among: readonly CampaignWords[] | null,
): Sql {
  const chosen = among?.map((row) => TAGS.map((tag) => row[tag]));
  return sql`
    WITH counted AS (
      SELECT key, sum(visitors)::BIGINT AS visitors, sum(visits)::BIGINT AS visits, sum(bounces)::BIGINT AS bounces,
        sum(visits)::BIGINT AS "bounceVisits",        sum(pageviews)::BIGINT AS pageviews, sum(conversions)::BIGINT AS conversions, sum(converters)::BIGINT AS converters
      FROM (${visitsByCampaign(scope)} UNION ALL ${visitorsByCampaign(scope)} UNION ALL ${eventsByCampaign(scope, converts)}) AS part
      GROUP BY key HAVING sum(visitors) + sum(visits) + sum(pageviews) + sum(conversions) > 0)
    SELECT words.* EXCLUDE (id), counted.* EXCLUDE (key), earned.revenue::VARCHAR AS revenue
    FROM counted
    JOIN (SELECT id, nullif(source, '') AS source, nullif(medium, '') AS medium, nullif(campaign, '') AS campaign,
      nullif(term, '') AS term, nullif(content, '') AS content FROM campaign) AS words ON words.id = counted.key
    LEFT JOIN ${revenueBy(scope, rates, sql`fact.campaign`, sql`WHERE fact.campaign <> 0`)} AS earned ON earned.key = counted.key
    ${chosen ? sql`WHERE ${isAmong(words, chosen)}` : empty}
    ORDER BY visitors DESC, visits DESC, source NULLS LAST, medium NULLS LAST, campaign NULLS LAST, term NULLS LAST,
      content NULLS LAST LIMIT ${limit}`;
}

const visitsByCampaign = (scope: Scope): Sql => sql`
  SELECT fact.campaign AS key, 0 AS visitors, count(*) AS visits, count(*) FILTER (WHERE ${BOUNCED}) AS bounces,
    0 AS pageviews, 0 AS conversions, 0 AS converters
  FROM visit AS fact WHERE ${visitsIn(scope)} AND fact.campaign <> 0 GROUP BY fact.campaign`;

const visitorsByCampaign = (scope: Scope): Sql => sql`
  SELECT fact.campaign AS key, count(DISTINCT ${VISITOR}) AS visitors, 0 AS visits, 0 AS bounces, 0 AS pageviews,
    0 AS conversions, 0 AS converters
  FROM event AS fact WHERE ${eventsIn(scope)} AND fact.campaign <> 0 AND ${PRESENT} GROUP BY fact.campaign`;

const eventsByCampaign = (scope: Scope, converts: Sql): Sql => sql`
  SELECT campaign AS key, 0 AS visitors, 0 AS visits, 0 AS bounces, count(*) FILTER (WHERE viewed) AS pageviews,
    count(*) FILTER (WHERE converted) AS conversions,
    count(DISTINCT ${VISITOR}) FILTER (WHERE converted AND visitor_id IS NOT NULL) AS converters FROM (
    SELECT fact.campaign, fact.day, fact.visitor_id, ${ofTypes(VIEWS)} AS viewed, ${converts} AS converted
    FROM event AS fact
    WHERE ${eventsIn(scope)} AND fact.campaign <> 0 AND ${ofTypes([...VIEWS, ...NAMED_EVENTS])}) AS fact
  WHERE viewed OR converted GROUP BY campaign`;

const CHANNELS = sql`(SELECT id, nullif(channel, '') AS channel FROM referrer) AS led`;
const LED = sql`JOIN ${CHANNELS} ON led.id = fact.referrer`;

/** A row for each channel of the site, also where nothing was converted, and one for none. */
const conversionsByChannel = (scope: Scope, rates: Rates, converts: Sql): Sql => sql`
  SELECT channels.channel, coalesce(conversions, 0)::BIGINT AS conversions, coalesce(converters, 0) AS converters,
    earned.revenue::VARCHAR AS revenue
  FROM (SELECT channel FROM ${CHANNELS} UNION SELECT NULL) AS channels
  LEFT JOIN (
    SELECT nullif(words.word, '') AS key, conversions, converters FROM (
      SELECT led.number, count(*) AS conversions,
        count(DISTINCT ${VISITOR}) FILTER (WHERE fact.visitor_id IS NOT NULL) AS converters
      FROM event AS fact JOIN ${numbersOf("channel")} AS led ON led.id = fact.referrer
      WHERE ${eventsIn(scope)} AND ${converts} GROUP BY led.number) AS seen
    JOIN ${wordsOf("channel")} AS words ON words.id = seen.number) AS counted ON counted.key IS NOT DISTINCT FROM channels.channel
  LEFT JOIN ${revenueBy(scope, rates, sql`led.channel`, LED)} AS earned ON earned.key IS NOT DISTINCT FROM channels.channel`;

/** Which rules chose the channels of the visits. */
const rulesSql = (scope: Scope): Sql => sql`
  SELECT nullif(words.channel, '') AS channel, words.rule, sum(counted.visits)::BIGINT AS visits
  FROM (SELECT fact.referrer, count(*) AS visits FROM visit AS fact WHERE ${visitsIn(scope)} GROUP BY ALL) AS counted
  JOIN referrer AS words ON words.id = counted.referrer WHERE words.id <> 0
  GROUP BY ALL ORDER BY visits DESC, rule`;

function channelsOf(
  rows: Rows[2],
  conversions: readonly Converted[],
  rules: readonly RuleRow[],
  { currency }: Scope,
): ChannelRow[] {
  const known = new Map(conversions.map(({ channel, ...numbers }) => [channel, numbers]));
  return rows.map((row) => {
    const { visitors, bounces, bounceVisits } = row;
    const [channel] = row.values;
    const found = known.get(channel);
    const { visits, pageviews } = knownCounts(row);
    return {
      channel,
      rules: rules.flatMap((one) => (one.channel === channel ? [{ rule: one.rule, visits: one.visits }] : [])),
      visitors,
      visits,
      bounces,
      bounceVisits,
      pageviews,
      conversions: found?.conversions ?? 0,
      converters: found?.converters ?? 0,
      revenue: found ? rounded(found.revenue, currency) : noMoney(currency),
    };
  });
}
