import { z } from "zod";
import { bucketLabel, bucketStarts, naturalInterval } from "@/lib/analytics/buckets";
import { carried } from "@/lib/analytics/carried";
import { chainTables, reachOf } from "@/lib/analytics/chains";
import { type DimensionKey, dimensionOf, wordsOf } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { ofTypes } from "@/lib/analytics/filters";
import { conditionsOf, type Funnel, stepFields, stepsOf, totalFields } from "@/lib/analytics/funnels";
import { converted, moneyShape, noMoney, told } from "@/lib/analytics/money";
import { besideHits, bucketOf, type Scope } from "@/lib/analytics/question";
import { untrusted } from "@/lib/contract/fields";
import { Prisma, reports } from "@/lib/db";

/** What else there is to know of a funnel: how long its steps take, what they earn, who goes on, and where the others go. */

const DESTINATIONS = 5;
const VALUES = 10;

const seconds = z.number().nullable();
const quantiles = z.object({ p50: seconds, p75: seconds, p90: seconds });
const row = z.object({
  value: untrusted.nullable(),
  visitors: z.array(z.int()).meta({ description: "Visitors who reached each step, in the order of the steps" }),
});

export const detailsShape = z.object({
  ...totalFields,
  steps: z.array(
    z.object({
      ...stepFields,
      seconds_from_previous: quantiles.meta({
        description: "Of the chains that reached the step; null for the first one, or when nobody did",
      }),
      seconds_from_first: quantiles,
      revenue: moneyShape.meta({ description: "What the events told that the step was taken by" }),
      left_to: z
        .array(z.object({ kind: z.enum(["page", "event", "exit"]), value: untrusted.nullable(), visitors: z.int() }))
        .meta({
          description: `Of those who got no further: the next page or event of the visit that is not this step again, the ${DESTINATIONS} most frequent ones, and exit for those whose visit had none; empty for the last step`,
        }),
    }),
  ),
  trend: z
    .array(z.object({ start: z.iso.datetime(), label: z.string(), entered: z.int(), converted: z.int() }))
    .meta({ description: "By the time of the first step" }),
  sources: z
    .array(row)
    .meta({ description: `Of the visit of the first step, as are devices and countries; top ${VALUES}` }),
  devices: z.array(row),
  countries: z.array(row),
});

type Quantiles = [number | null, number | null, number | null] | null;
interface Found {
  furthest: { level: number; visitors: number }[] | null;
  times: { step: number; previous: Quantiles; first: Quantiles }[] | null;
  money: { step: number; amount: string }[] | null;
  trend: { bucket: number; entered: number; converted: number }[] | null;
  next: { level: number; kind: "page" | "event" | "exit"; value: string | null; visitors: number }[] | null;
  sources: Row[] | null;
  devices: Row[] | null;
  countries: Row[] | null;
}
type Row = z.infer<typeof row>;

/** All that is known of how the visitors of a scope went through a funnel. */
export async function detailsOf(scope: Scope, funnel: Funnel) {
  const interval = naturalInterval(scope.range);
  const starts = bucketStarts(scope.range, interval);
  const found = await find(scope, funnel, starts);
  const furthest = new Map(found.furthest?.map(({ level, visitors }) => [level, visitors]));
  const progress = stepsOf(
    funnel,
    funnel.steps.map((_, index) => furthest.get(index + 1) ?? 0),
  );
  const buckets = new Map(found.trend?.map((bucket) => [bucket.bucket, bucket]));
  return {
    ...progress,
    steps: progress.steps.map((step, index) => {
      const times = found.times?.find((one) => one.step === index + 1);
      const amount = found.money?.find((one) => one.step === index + 1)?.amount ?? noMoney(scope.currency);
      return {
        ...step,
        seconds_from_previous: quantilesOf(times?.previous),
        seconds_from_first: quantilesOf(times?.first),
        revenue: { amount, currency: scope.currency },
        left_to: (found.next ?? []).flatMap(({ level, ...left }) => (level === index + 1 ? [left] : [])),
      };
    }),
    trend: starts.map((start, index) => ({
      start: start.toISOString(),
      label: bucketLabel(start, scope.range.timezone, interval),
      entered: buckets.get(index)?.entered ?? 0,
      converted: buckets.get(index)?.converted ?? 0,
    })),
    sources: found.sources ?? [],
    devices: found.devices ?? [],
    countries: found.countries ?? [],
  };
}

const quantilesOf = (found: Quantiles | undefined) => {
  const [p50 = null, p75 = null, p90 = null] = found ?? [];
  return { p50, p75, p90 };
};

async function find(scope: Scope, funnel: Funnel, starts: Date[]): Promise<Found> {
  const reach = reachOf(scope, funnel.windowMinutes);
  const conditions = await conditionsOf(scope.siteId, funnel);
  const last = funnel.steps.length;
  const money = converted(reach, Prisma.sql`revenue`, Prisma.sql`currency`, Prisma.sql`at`);
  const more = Prisma.sql`, fact.referrer, fact.agent, fact.place, fact.revenue, fact.currency`;
  const asked = { scope, reach, conditions, windowMinutes: funnel.windowMinutes };
  const [found] = await reports().$queryRaw<[Found]>`
    WITH ${chainTables(asked, more)},
    went AS MATERIALIZED (
      SELECT visitor_id, day, coalesce(chain, ARRAY[starts.first]) AS chain, coalesce(cardinality(chain), 1) AS level
      FROM starts LEFT JOIN chains USING (visitor_id, day)),
    visited AS MATERIALIZED (
      SELECT row_number() OVER () AS number, level, chain[level] AS at,
             min(ARRAY[visit_id, referrer, agent, place]) FILTER (WHERE ts = chain[1] AND mask & 1 <> 0) AS first,
             min(visit_id) FILTER (WHERE ts = chain[level] AND (mask >> (level - 1)) & 1 <> 0) AS last
      FROM went JOIN hits USING (visitor_id) GROUP BY visitor_id, day, level, chain),
    stepped AS MATERIALIZED (
      SELECT visitor_id, day, level, step::int, at, at - lag(at) OVER one AS previous, at - chain[1] AS since
      FROM went CROSS JOIN LATERAL unnest(chain) WITH ORDINALITY AS taken(at, step) WHERE level > 1
      WINDOW one AS (PARTITION BY visitor_id, day ORDER BY step)),
    ${nextTable(reach, conditions)}
    SELECT
      (SELECT jsonb_agg(to_jsonb(one)) FROM (SELECT level, count(*) AS visitors FROM went GROUP BY 1) AS one) AS furthest,
      (SELECT jsonb_agg(to_jsonb(one)) FROM (
        SELECT step, ${QUANTILES(Prisma.sql`previous`)} AS previous, ${QUANTILES(Prisma.sql`since`)} AS first
        FROM stepped WHERE step > 1 GROUP BY 1) AS one) AS times,
      (SELECT jsonb_agg(to_jsonb(one)) FROM (
        SELECT step, ${told(Prisma.sql`sum(${money})`, scope.currency)} AS amount
        FROM (SELECT visitor_id, step::int, at FROM went CROSS JOIN LATERAL unnest(chain) WITH ORDINALITY AS taken(at, step)) AS taken
             JOIN (SELECT visitor_id, ts AS at, mask, revenue, currency FROM hits WHERE revenue IS NOT NULL) AS paid USING (visitor_id, at)
        WHERE (mask >> (step - 1)) & 1 <> 0 GROUP BY 1) AS one) AS money,
      (SELECT jsonb_agg(to_jsonb(one)) FROM (
        SELECT ${bucketOf(Prisma.sql`chain[1]`, starts)} AS bucket, count(*) AS entered,
               count(*) FILTER (WHERE level = ${last}::int) AS converted FROM went GROUP BY 1) AS one) AS trend,
      (${nextOf(scope.siteId, last)}) AS next,
      (${panelOf("source", scope, last)}) AS sources,
      (${panelOf("device", scope, last)}) AS devices,
      (${panelOf("country", scope, last)}) AS countries`;
  return found;
}

/** In milliseconds, as clocks tell them: the microseconds of a timestamp only keep events in order. */
const QUANTILES = (time: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`percentile_cont(ARRAY[0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY round(extract(epoch FROM ${time}), 3)::float8)`;

/** SQL for the most frequent values of a dimension among those who entered, with how many of them reached each step. */
function panelOf(key: DimensionKey, { siteId }: Scope, steps: number): Prisma.Sql {
  const reached = Array.from(
    { length: steps },
    (_, index) => Prisma.sql`count(*) FILTER (WHERE fact.level > ${index}::int)`,
  );
  return Prisma.sql`
    SELECT jsonb_agg(to_jsonb(one)) FROM (
      SELECT nullif(word, '') AS value, ARRAY[${Prisma.join(reached)}] AS visitors
      FROM (SELECT level, first[2] AS referrer, first[3] AS agent, first[4] AS place FROM visited) AS fact LEFT JOIN ${wordsOf(key, siteId)} AS words(id, word) ON words.id = ${dimensionOf(key).fact}
      GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${VALUES}) AS one`;
}

/**
 * SQL for the table `followed`: what those who got no further did `next` within the visit of their last step, as its time, 1
 * for a page or 2 for an event, and its id. The same step again is passed over.
 */
function nextTable(reach: Scope, conditions: readonly Prisma.Sql[]): Prisma.Sql {
  const again = conditions.map((condition, index) => Prisma.sql`WHEN ${index + 1}::int THEN ${condition}`);
  const seen = ofTypes(VIEWS);
  const [table, ...columns] = [
    Prisma.sql`visited`,
    Prisma.sql`number`,
    Prisma.sql`last`,
    Prisma.sql`at`,
    Prisma.sql`level`,
  ];
  const leaving = carried(table, columns, Prisma.sql`level < ${conditions.length}::int`);
  return Prisma.sql`
    followed AS MATERIALIZED (
      SELECT visited.number, min(ARRAY[extract(epoch FROM fact.ts) * 1000000,
        CASE WHEN ${seen} THEN 1 ELSE 2 END, CASE WHEN ${seen} THEN fact.page ELSE fact.name END]::bigint[]) AS next
      FROM ${leaving} JOIN facts.event AS fact ON fact.visit_id = visited.last AND fact.ts > visited.at
      WHERE ${besideHits(reach)} AND ${ofTypes([...VIEWS, ...NAMED_EVENTS])} AND NOT CASE level ${Prisma.join(again, " ")} END
      GROUP BY 1)`;
}

/** SQL for the most frequent of these, and those whose visit ended. */
const nextOf = (siteId: number, steps: number): Prisma.Sql => Prisma.sql`
  SELECT jsonb_agg(jsonb_build_object('level', level, 'kind', kind, 'value', value, 'visitors', visitors)
                   ORDER BY level, visitors DESC, kind, value) FROM (
    SELECT *, row_number() OVER (PARTITION BY level, kind = 'exit' ORDER BY visitors DESC, kind, value) AS place FROM (
      SELECT level, CASE next[2] WHEN 1 THEN 'page' WHEN 2 THEN 'event' ELSE 'exit' END AS kind,
             coalesce(page.path, name.name) AS value, count(*) AS visitors
      FROM visited LEFT JOIN followed USING (number)
      LEFT JOIN facts.page AS page ON page.site_id = ${siteId} AND next[2] = 1 AND page.id = next[3]
      LEFT JOIN facts.name AS name ON name.site_id = ${siteId} AND next[2] = 2 AND name.id = next[3]
      WHERE level < ${steps}::int GROUP BY 1, 2, 3) AS left_to) AS one WHERE place <= ${DESTINATIONS}`;
