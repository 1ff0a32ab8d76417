import { anyOf, conversionEvents, type Reached } from "@/lib/analytics/conversions";
import { BOUNCED } from "@/lib/analytics/fact-sums";
import { type Chosen, type Filters, resolveFilters } from "@/lib/analytics/filters";
import { countedIn } from "@/lib/analytics/listings";
import { ints } from "@/lib/analytics/number-lists";
import type { Asked, Counts } from "@/lib/analytics/packed/tally";
import { inWords } from "@/lib/analytics/partials";
import { around, dayOf, type Scope, visitsIn } from "@/lib/analytics/question";
import { packedFor } from "@/lib/analytics/sources";
import { Prisma, reports } from "@/lib/db";

/** Visits that a kind of source led here, by the source and the page that they began on. */
export interface Landing {
  source: string | null;
  page: string | null;
  visitors: number;
  visits: number;
  bounces: number;
  /** Visits in which something was converted. */
  conversions: number;
}

const NONE: Landing = { source: null, page: null, visitors: 0, visits: 0, bounces: 0, conversions: 0 };

/**
 * The landing pages of one channel with the most visits, and what the channel came to as a whole (the row without words).
 *
 * @param goals of the site; what converts.
 * @param limit of the landing pages; 0 for the whole alone.
 */
export async function landings(
  scope: Scope,
  goals: readonly Reached[],
  channel: string,
  limit: number,
  engine: string | null = null,
): Promise<{ rows: Landing[]; total: Landing }> {
  const filters = await ledBy(scope, channel, engine);
  const converts = await conversionEvents(scope.siteId, goals);
  const { sealed, left } = await sealedRows({ ...scope, filters }, converts, limit > 0);
  const parts = [...sealed, ...left.map((part) => rowsOf(part, anyOf(converts)))];
  const found = await reports().$queryRaw<(Landing & { whole: boolean })[]>`
    SELECT whole, source, page, sum(visitors)::int AS visitors, sum(visits)::int AS visits, sum(bounces)::int AS bounces,
           sum(conversions)::int AS conversions
    FROM (${Prisma.join(parts, " UNION ALL ")}) AS part(whole, source, page, visitors, visits, bounces, conversions)
    GROUP BY whole, source, page
    ORDER BY 1 DESC, visits DESC, source, page LIMIT ${limit + 2}`;
  const [total, ...rows] = found.map(({ whole: _, ...row }) => row);
  return { rows, total: total ?? NONE };
}

/** The filters of a scope, and that visits came by this channel, from this search engine. */
async function ledBy({ siteId, range, filters }: Scope, channel: string, engine: string | null): Promise<Filters> {
  const is = (dimension: "channel" | "source", value: string) =>
    ({ key: dimension, on: { dimension }, operator: "is", values: [value] }) as const;
  const words = [is("channel", channel), ...(engine ? [is("source", engine)] : [])];
  const led = await resolveFilters(
    siteId,
    words.map((word) => ({ ...word, values: [...word.values] })),
    range,
  );
  const ofIds = filters.ofIds && led.ofIds && { ...filters.ofIds, visit: [...filters.ofIds.visit, ...led.ofIds.visit] };
  return { ...filters, visit: [...filters.visit, ...led.visit], ofIds };
}

/** What sealed days say, as SQL for rows, and the parts of the scope that are left to the facts. */
async function sealedRows(
  scope: Scope,
  converts: readonly Chosen[],
  pages: boolean,
): Promise<{ sealed: Prisma.Sql[]; left: Scope[] }> {
  const cover = await packedFor(scope);
  const { ofIds } = scope.filters;
  const packed = cover && ofIds && { ...cover, packed: ofIds };
  const holding = converts.map(({ test }) => test);
  const asked = ([[], ...(pages ? [["source", "landing"] as const] : [])] as const).flatMap((by): Asked[] => [
    { by, parts: ["visits"] },
    { by, parts: ["visits"], sums: ["visits"], holding },
  ]);
  const { counts, left } = await countedIn(scope, packed, asked, WHOLE);
  return { sealed: counts?.map((one, index) => tableOf(scope.siteId, one, index % 2 === 1)) ?? [], left };
}

/** Each part of a range that the facts answer is read in one piece: conversions are sought two days beyond its end. */
const WHOLE = Number.POSITIVE_INFINITY;

/** SQL for what was counted as rows: visits or, of the same, those in which something was converted. */
function tableOf(siteId: number, { values, sums }: Counts, converted: boolean): Prisma.Sql {
  const [sources, pages] = values;
  const { visitors, visits, bounces } = sums;
  const none = new Float64Array(visits.length);
  const lists = converted ? [none, none, none, visits] : [visitors, visits, bounces, none];
  const numbers = Prisma.sql`visitors, visits, bounces, conversions`;
  if (!sources || !pages) {
    return Prisma.sql`
      SELECT true, NULL, NULL, ${numbers} FROM unnest(${Prisma.join(lists.map(ints))}) AS one(${numbers})`;
  }
  return Prisma.sql`
    SELECT false, led.value, landed.value, ${numbers}
    FROM unnest(${Prisma.join([sources, pages, ...lists].map(ints))}) AS one(source, page, ${numbers})
    LEFT JOIN ${inWords("source", siteId)} AS led(id, value) ON led.id = one.source
    LEFT JOIN ${inWords("page", siteId)} AS landed(id, value) ON landed.id = one.page`;
}

/** SQL for the rows of a part of a scope, from the facts. @param converts SQL of the events that convert. */
function rowsOf(part: Scope, converts: Prisma.Sql): Prisma.Sql {
  const { siteId } = part;
  return Prisma.sql`
    SELECT whole, source, page, count(*), sum(visits), sum(bounces), sum(conversions) FROM (
      SELECT grouping(source, page) > 0 AS whole, source, page, count(*) AS visits,
             count(*) FILTER (WHERE bounced) AS bounces, count(*) FILTER (WHERE converted) AS conversions
      FROM (SELECT led.value AS source, landed.value AS page, ${dayOf(Prisma.sql`fact.started`, part)} AS day,
                   fact.visitor_id, (${BOUNCED}) AS bounced, met.visit_id IS NOT NULL AS converted
            FROM facts.visit AS fact
            LEFT JOIN ${inWords("source", siteId)} AS led(id, value) ON led.id = fact.referrer
            LEFT JOIN ${inWords("page", siteId)} AS landed(id, value) ON landed.id = fact.entry_page
            LEFT JOIN (SELECT DISTINCT fact.visit_id FROM facts.event AS fact WHERE ${around(part)} AND ${converts}) AS met
              ON met.visit_id = fact.visit_id
            WHERE ${visitsIn(part)}) AS visits
      GROUP BY GROUPING SETS ((visitor_id, day, source, page), (visitor_id, day))) AS seen
    GROUP BY whole, source, page`;
}
