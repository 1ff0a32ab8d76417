import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/dimensions";
import { dayOf, inScope, type Scope } from "@/lib/analytics/question";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";

export interface PanelRow {
  /** null: unknown, or none (a direct visit has no source). */
  value: string | null;
  visitors: number;
  visits: number;
  pageviews?: number;
}

/** The values of one dimension with the most visitors, at most `limit` of them. */
export function panel(scope: Scope, key: DimensionKey, limit: number): Promise<PanelRow[]> {
  return DIMENSIONS[key].level === "visit" ? visitPanel(scope, key, limit) : eventPanel(scope, key, limit);
}

function visitPanel(scope: Scope, key: DimensionKey, limit: number): Promise<PanelRow[]> {
  const { fact, dictionary, word } = DIMENSIONS[key];
  return reports().$queryRaw`
    SELECT value, count(*)::int AS visitors, sum(visits)::int AS visits FROM (
      SELECT nullif(words.${word}, '') AS value, ${dayOf(Prisma.sql`started`, scope)} AS day, visitor_id,
             count(*) AS visits
      FROM facts.visit AS fact
      LEFT JOIN ${dictionary} AS words ON words.site_id = fact.site_id AND words.id = fact.${fact}
      WHERE ${inScope(scope, "started")} ${seen(key)}
      GROUP BY 1, 2, 3) AS visitors
    GROUP BY value ORDER BY visitors DESC, visits DESC, value LIMIT ${limit}`;
}

/** Visits in which no page was seen have no entry and no exit page. */
const seen = (key: DimensionKey) =>
  key === "entry_page" || key === "exit_page" ? Prisma.sql`AND fact.pageviews > 0` : Prisma.empty;

function eventPanel(scope: Scope, key: DimensionKey, limit: number): Promise<PanelRow[]> {
  const { fact, dictionary, word } = DIMENSIONS[key];
  return reports().$queryRaw`
    SELECT value, count(DISTINCT (day, visitor_id))::int AS visitors, count(*)::int AS visits,
           sum(views)::int AS pageviews FROM (
      SELECT nullif(words.${word}, '') AS value, ${dayOf(Prisma.sql`ts`, scope)} AS day, visitor_id, visit_id,
             count(*) AS views
      FROM facts.event AS fact
      LEFT JOIN ${dictionary} AS words ON words.site_id = fact.site_id AND words.id = fact.${fact}
      WHERE ${inScope(scope, "ts")} AND type IN (${EVENT_TYPES.pageview}, ${EVENT_TYPES.screen})
      GROUP BY 1, 2, 3, 4) AS visits
    GROUP BY value ORDER BY visitors DESC, pageviews DESC, value LIMIT ${limit}`;
}
