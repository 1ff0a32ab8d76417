import { converting, goalsOf } from "@/lib/analytics/conversions";
import { BOUNCED } from "@/lib/analytics/fact-sums";
import { resolveFilters } from "@/lib/analytics/filters";
import { dayOf, fromThenOn, type Scope, visitsIn } from "@/lib/analytics/question";
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

/** The landing pages of one channel with the most visits, and what the channel came to as a whole (the row without words). */
export async function landings(
  scope: Scope,
  channel: string,
  limit: number,
  engine: string | null = null,
): Promise<{ rows: Landing[]; total: Landing }> {
  const is = (dimension: "channel" | "source", value: string) =>
    ({ key: dimension, on: { dimension }, operator: "is", values: [value] }) as const;
  const words = [is("channel", channel), ...(engine ? [is("source", engine)] : [])];
  const chosen = await resolveFilters(
    scope.siteId,
    words.map((word) => ({ ...word, values: [...word.values] })),
  );
  const filters = { ...scope.filters, visit: [...scope.filters.visit, ...chosen.visit] };
  const narrowed: Scope = { ...scope, filters, sealed: null };
  const converts = converting(await goalsOf(scope.siteId));
  const found = await reports().$queryRaw<(Landing & { whole: boolean })[]>`
    SELECT whole, source, page, count(*)::int AS visitors, sum(visits)::int AS visits, sum(bounces)::int AS bounces,
           sum(conversions)::int AS conversions FROM (
      SELECT grouping(source, page) > 0 AS whole, source, page, count(*) AS visits,
             count(*) FILTER (WHERE bounced) AS bounces, count(*) FILTER (WHERE converted) AS conversions
      FROM (SELECT nullif(led.source, '') AS source, landed.path AS page, ${dayOf(Prisma.sql`fact.started`, scope)} AS day,
                 fact.visitor_id, (${BOUNCED}) AS bounced, met.visit_id IS NOT NULL AS converted
          FROM facts.visit AS fact
          LEFT JOIN facts.referrer AS led ON led.site_id = ${scope.siteId} AND led.id = fact.referrer
          LEFT JOIN facts.page AS landed ON landed.site_id = ${scope.siteId} AND landed.id = fact.entry_page
          LEFT JOIN (SELECT DISTINCT fact.visit_id FROM facts.event AS fact
                     WHERE ${Prisma.join([fromThenOn(scope), ...filters.visit, converts], " AND ")}) AS met
            ON met.visit_id = fact.visit_id
          WHERE ${visitsIn(narrowed)}) AS visits
      GROUP BY GROUPING SETS ((visitor_id, day, source, page), (visitor_id, day))) AS seen
    GROUP BY whole, source, page
    ORDER BY 1 DESC, visits DESC, source, page LIMIT ${limit + 2}`;
  const [total, ...rows] = found.map(({ whole: _, ...row }) => row);
  return { rows, total: total ?? NONE };
}
