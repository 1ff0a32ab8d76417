import { isAmong } from "@/lib/analytics/among";
import { anyOf, conversionEvents, type Reached } from "@/lib/analytics/conversions";
import { VIEWS } from "@/lib/analytics/event-types";
import { BOUNCED } from "@/lib/analytics/fact-sums";
import { ofTypes } from "@/lib/analytics/filters";
import { groups } from "@/lib/analytics/groups";
import { CAMPAIGNS, defaultConversions, goalConversions, listed, REFERRERS } from "@/lib/analytics/listings";
import { told } from "@/lib/analytics/money";
import { dayOf, eventsIn, type Scope, visitsIn } from "@/lib/analytics/question";
import { type Lists, tableOf } from "@/lib/analytics/rollup-lists";
import { revenueBy, type Sales } from "@/lib/analytics/sales";
import { Prisma, reports } from "@/lib/db";

/** What campaigns and channels came to: visits where they began, events and revenue where they happened. */

export interface Led {
  visitors: number;
  visits: number;
  bounces: number;
  pageviews: number;
  conversions: number;
  converters: number;
  /** Decimal text in the reporting currency. */
  revenue: string;
}

/** What campaigns and channels are told by. */
export interface Leading {
  sales: Sales;
  /** SQL of the events that convert. */
  converts: Prisma.Sql;
  /** Of sealed days, where these answer. */
  sealed: Record<"campaigns" | "byCampaign" | "byChannel" | "referrers", Lists> | null;
  /** The parts that are left to the facts. */
  left: Scope[];
}

/** Reads what sealed days say of all of it, in one pass. */
export async function leadingTo(sales: Sales, goals: readonly Reached[]): Promise<Leading> {
  const events = await conversionEvents(sales.scope.siteId, goals);
  const tests = events.map(({ test }) => test);
  const by = goals.length > 0 ? goalConversions(tests) : defaultConversions(tests);
  const asked = [CAMPAIGNS, by.campaign, by.channel, REFERRERS];
  const { lists, left } = await listed(sales.scope, asked);
  const [campaigns, byCampaign, byChannel, referrers] = lists;
  const sealed = campaigns && byCampaign && byChannel && referrers && { campaigns, byCampaign, byChannel, referrers };
  return { sales, converts: anyOf(events), sealed: sealed ?? null, left };
}

/** The five words of a campaign; null where it has none. */
export type CampaignWords = Record<"source" | "medium" | "campaign" | "term" | "content", string | null>;

/** The campaigns with the most visitors. @param among only these. */
export function campaignRows(
  leading: Leading,
  limit: number,
  among: readonly CampaignWords[] | null = null,
): Promise<(CampaignWords & Led)[]> {
  const { sales, converts, sealed, left } = leading;
  const { scope } = sales;
  const sought = among?.map(({ source, medium, campaign, term, content }) => [source, medium, campaign, term, content]);
  const asked = sought ? Prisma.sql`WHERE ${isAmong(WORDS, sought)}` : Prisma.empty;
  const parts = [
    ...left.flatMap((part) => [visitsBy(part), eventsBy(part, converts)]),
    ...(sealed
      ? [
          Prisma.sql`
            SELECT *, 0, 0 FROM ${tableOf(sealed.campaigns, ["visitors", "visits", "bounces", "pageviews"])} AS one`,
          Prisma.sql`
            SELECT key, 0, 0, 0, 0, conversions, converters
            FROM ${tableOf(sealed.byCampaign, ["events", "visitors"])} AS one(key, conversions, converters)`,
        ]
      : []),
  ];
  return reports().$queryRaw`
    WITH counted AS (
      SELECT key, sum(visitors)::int AS visitors, sum(visits)::int AS visits, sum(bounces)::int AS bounces,
             sum(pageviews)::int AS pageviews, sum(conversions)::int AS conversions, sum(converters)::int AS converters
      FROM (${Prisma.join(parts, " UNION ALL ")}) AS part(key, visitors, visits, bounces, pageviews, conversions, converters)
      GROUP BY key HAVING sum(visits) + sum(pageviews) + sum(conversions) > 0)
    SELECT words.*, visitors, visits, bounces, pageviews, conversions, converters,
           ${told(Prisma.sql`earned.revenue`, scope.currency)} AS revenue
    FROM counted
    JOIN (SELECT id, nullif(source, '') AS source, nullif(medium, '') AS medium, nullif(campaign, '') AS campaign,
                 nullif(term, '') AS term, nullif(content, '') AS content
          FROM facts.campaign WHERE site_id = ${scope.siteId}) AS words ON words.id = counted.key
    LEFT JOIN ${revenueBy(sales, Prisma.sql`fact.campaign`, TAGGED)} AS earned ON earned.key = counted.key
    ${asked} ORDER BY visitors DESC, visits DESC, source, medium, campaign, term, content LIMIT ${limit}`;
}

const WORDS = [Prisma.sql`source`, Prisma.sql`medium`, Prisma.sql`campaign`, Prisma.sql`term`, Prisma.sql`content`];
const TAGGED = Prisma.sql`WHERE fact.campaign <> 0`;

const visitsBy = (scope: Scope): Prisma.Sql => Prisma.sql`
  SELECT key, count(*) AS visitors, sum(visits) AS visits, sum(bounces) AS bounces,
         0 AS pageviews, 0 AS conversions, 0 AS converters FROM (
    SELECT fact.campaign AS key, ${dayOf(Prisma.sql`fact.started`, scope)} AS day, fact.visitor_id, count(*) AS visits,
           count(*) FILTER (WHERE ${BOUNCED}) AS bounces
    FROM facts.visit AS fact WHERE ${visitsIn(scope)} AND fact.campaign <> 0 GROUP BY 3, 2, 1) AS seen GROUP BY key`;

const eventsBy = (scope: Scope, converts: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT key, 0 AS visitors, 0 AS visits, 0 AS bounces, sum(pageviews) AS pageviews, sum(conversions) AS conversions,
         count(visitor_id) FILTER (WHERE conversions > 0) AS converters FROM (
    SELECT fact.campaign AS key, ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, fact.visitor_id,
           count(*) FILTER (WHERE ${ofTypes(VIEWS)}) AS pageviews, count(*) FILTER (WHERE ${converts}) AS conversions
    FROM facts.event AS fact WHERE ${eventsIn(scope)} AND fact.campaign <> 0 AND (${ofTypes(VIEWS)} OR ${converts})
    GROUP BY 3, 2, 1) AS seen GROUP BY key`;

export interface ChannelRow extends Led {
  channel: string | null;
  /** How many visits each rule led here, most first. */
  rules: { rule: string; visits: number }[];
}

const MOST_CHANNELS = 100;

/** Every channel, most visitors first. */
export async function channelRows(leading: Leading): Promise<ChannelRow[]> {
  const { scope } = leading.sales;
  const order = Prisma.sql`visitors DESC, visits DESC`;
  const [rows, converted, rules] = await Promise.all([
    groups(scope, { by: ["channel"], parts: ["visits", "events"], order, limit: MOST_CHANNELS }),
    conversionsByChannel(leading),
    rulesOf(leading),
  ]);
  const known = new Map(converted.map(({ channel, ...numbers }) => [channel, numbers]));
  return rows.map(({ values: [channel = null], visitors, visits, bounces, pageviews }) => ({
    channel,
    rules: rules.flatMap((row) => (row.channel === channel ? [{ rule: row.rule, visits: row.visits }] : [])),
    ...{ visitors, visits, bounces, pageviews },
    ...(known.get(channel) ?? { conversions: 0, converters: 0, revenue: "0" }),
  }));
}

interface Converted {
  channel: string | null;
  conversions: number;
  converters: number;
  revenue: string;
}

/** A row for each channel of the site, also where nothing was converted, and one for none. */
function conversionsByChannel({ sales, converts, sealed, left }: Leading): Promise<Converted[]> {
  const { siteId, currency } = sales.scope;
  const channels = Prisma.sql`
    (SELECT id, nullif(channel, '') AS channel FROM facts.referrer WHERE site_id = ${siteId}) AS led`;
  const ledBy = Prisma.sql`LEFT JOIN ${channels} ON led.id = fact.referrer`;
  const parts = left.map(
    (part) => Prisma.sql`
      SELECT key, sum(conversions) AS conversions, count(visitor_id) AS converters FROM (
        SELECT led.channel AS key, ${dayOf(Prisma.sql`fact.ts`, part)} AS day, fact.visitor_id, count(*) AS conversions
        FROM facts.event AS fact ${ledBy} WHERE ${eventsIn(part)} AND ${converts} GROUP BY 3, 2, 1) AS seen
      GROUP BY key`,
  );
  if (sealed) {
    parts.push(Prisma.sql`
      SELECT led.channel, conversions, converters
      FROM ${tableOf(sealed.byChannel, ["events", "visitors"])} AS one(id, conversions, converters)
      LEFT JOIN ${channels} USING (id)`);
  }
  return reports().$queryRaw`
    SELECT channel, coalesce(conversions, 0)::int AS conversions, coalesce(converters, 0)::int AS converters,
           ${told(Prisma.sql`earned.revenue`, currency)} AS revenue
    FROM (SELECT channel FROM ${channels} UNION SELECT NULL) AS channels
    LEFT JOIN (
      SELECT key, sum(conversions) AS conversions, sum(converters) AS converters
      FROM (${Prisma.join(parts, " UNION ALL ")}) AS part(key, conversions, converters) GROUP BY key) AS counted
      ON counted.key IS NOT DISTINCT FROM channel
    LEFT JOIN ${revenueBy(sales, Prisma.sql`led.channel`, ledBy)} AS earned ON earned.key IS NOT DISTINCT FROM channel`;
}

/** Which rules chose the channels of the visits. */
function rulesOf({
  sales,
  sealed,
  left,
}: Leading): Promise<{ channel: string | null; rule: string; visits: number }[]> {
  const parts = left.map(
    (part) => Prisma.sql`
      SELECT fact.referrer, count(*) AS visits FROM facts.visit AS fact WHERE ${visitsIn(part)} GROUP BY 1`,
  );
  if (sealed) parts.push(Prisma.sql`SELECT * FROM ${tableOf(sealed.referrers, ["visits"])} AS one`);
  return reports().$queryRaw`
    SELECT nullif(words.channel, '') AS channel, words.rule, sum(visits)::int AS visits
    FROM (${Prisma.join(parts, " UNION ALL ")}) AS counted(referrer, visits)
    JOIN facts.referrer AS words ON words.site_id = ${sales.scope.siteId} AND words.id = counted.referrer
    GROUP BY 1, 2 ORDER BY 3 DESC, 2`;
}
