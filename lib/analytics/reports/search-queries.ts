import { reports } from "@/lib/platform/reports";
import { type Sql, sql } from "@/lib/platform/sql";
import { ROW_KINDS } from "@/lib/search/store/numbers";

/** What search engines say of a property: queries, pages and opportunities, by the days of the engine. */

/** The days of a connection that a report is about, both inclusive. */
interface SearchDays {
  connectionId: number;
  from: string;
  to: string;
}

export interface SearchFigures {
  clicks: number;
  impressions: number;
  /** Clicks per impression; null without impressions. */
  ctr: number | null;
  /** The average position over all impressions, 1 at the top; null where it is unknown. */
  position: number | null;
}

const FIGURES = sql`
  sum(clicks)::float8 AS clicks, sum(impressions)::float8 AS impressions,
  sum(clicks)::float8 / nullif(sum(impressions), 0) AS ctr,
  nullif(sum(position_sum), 0) / nullif(sum(impressions), 0) AS position`;

const inSearchDays = ({ connectionId, from, to }: SearchDays): Sql =>
  sql`connection_id = ${connectionId} AND day BETWEEN ${from}::date AND ${to}::date`;

/** Returns the figures of a property; null without any day in the range. */
export async function searchTotals(days: SearchDays): Promise<SearchFigures | null> {
  const { rows } = await reports().query<SearchFigures & { days: number }>(sql`
    SELECT ${FIGURES}, count(*)::int AS days FROM search_day WHERE ${inSearchDays(days)}`);
  const [{ days: known, ...figures } = { days: 0 }] = rows;
  return known > 0 ? (figures as SearchFigures) : null;
}

/**
 * Returns the figures that an engine attributes to no query, because few people have asked it, over the days whose queries
 * are known.
 */
export async function unattributedFigures(days: SearchDays): Promise<SearchFigures | null> {
  const { rows } = await reports().query<SearchFigures>(sql`
    WITH known AS (SELECT day, clicks, impressions, position_sum FROM search_day WHERE ${inSearchDays(days)} AND fetched_at IS NOT NULL),
    sums AS (
      SELECT clicks, impressions, position_sum FROM known
      UNION ALL
      SELECT -clicks, -impressions, -position_sum FROM search_number
      WHERE ${inSearchDays(days)} AND kind = ${ROW_KINDS.query} AND day IN (SELECT day FROM known)),
    left_over AS (
      SELECT greatest(sum(clicks), 0) AS clicks, greatest(sum(impressions), 0) AS impressions,
        greatest(sum(position_sum), 0) AS position_sum FROM sums)
    SELECT ${FIGURES} FROM left_over HAVING EXISTS (SELECT FROM known)`);
  return rows[0] ?? null;
}

interface QueryFigures extends SearchFigures {
  query: string;
  /** The page that the query showed most often; null where the engine does not say. */
  page: string | null;
}

/** Returns the queries with the most clicks. */
export async function topQueries(days: SearchDays, limit: number): Promise<QueryFigures[]> {
  const { rows } = await reports().query<QueryFigures>(sql`
    WITH top AS (
      SELECT query, ${FIGURES} FROM search_number WHERE ${inSearchDays(days)} AND kind = ${ROW_KINDS.query}
      GROUP BY query ORDER BY sum(clicks) DESC, sum(impressions) DESC, query LIMIT ${limit})
    SELECT top.*, page FROM top LEFT JOIN ${mostShownPages(days)} USING (query) ORDER BY clicks DESC, impressions DESC, query`);
  return rows;
}

/** SQL for a table of the page that each query of `top` showed most often. */
const mostShownPages = (days: SearchDays): Sql => sql`(
  SELECT DISTINCT ON (query) query, page FROM (
    SELECT query, page, sum(impressions) AS shown FROM search_number
    WHERE ${inSearchDays(days)} AND kind = ${ROW_KINDS.pair} AND query IN (SELECT query FROM top) GROUP BY query, page) AS pairs
  ORDER BY query, shown DESC, page) AS pages`;

interface PageFigures extends SearchFigures {
  page: string;
}

/** Returns the pages with the most clicks. */
export async function topSearchPages(days: SearchDays, limit: number): Promise<PageFigures[]> {
  const { rows } = await reports().query<PageFigures>(sql`
    SELECT page, ${FIGURES} FROM search_number WHERE ${inSearchDays(days)} AND kind = ${ROW_KINDS.page}
    GROUP BY page ORDER BY sum(clicks) DESC, sum(impressions) DESC, page LIMIT ${limit}`);
  return rows;
}

/** A query is an opportunity at these positions, with at least so many impressions and missed clicks. */
export const OPPORTUNITY = { positions: [4, 20], impressions: 50, missedClicks: 1 } as const;

export interface Opportunity extends QueryFigures {
  /** Clicks per impression of all queries of the property at the same rounded position. */
  expected_ctr: number;
  /** How many more clicks that would be. */
  missed_clicks: number;
}

/**
 * Returns the queries that are clicked less than the property's other queries at the same rounded position, those that miss
 * the most clicks first.
 */
export async function opportunities(days: SearchDays, limit: number): Promise<Opportunity[]> {
  const [first, last] = OPPORTUNITY.positions;
  const { rows } = await reports().query<Opportunity>(sql`
    WITH figures AS (
      SELECT query, ${FIGURES} FROM search_number WHERE ${inSearchDays(days)} AND kind = ${ROW_KINDS.query} GROUP BY query),
    placed AS (SELECT *, round(position) AS place FROM figures WHERE position IS NOT NULL),
    curve AS (SELECT place, sum(clicks) / sum(impressions) AS expected_ctr FROM placed GROUP BY place),
    top AS (
      SELECT placed.query, clicks, impressions, ctr, position, expected_ctr, impressions * expected_ctr - clicks AS missed_clicks
      FROM placed JOIN curve USING (place)
      WHERE place BETWEEN ${first} AND ${last} AND impressions >= ${OPPORTUNITY.impressions}
        AND impressions * expected_ctr - clicks >= ${OPPORTUNITY.missedClicks}
      ORDER BY missed_clicks DESC, query LIMIT ${limit})
    SELECT top.*, page FROM top LEFT JOIN ${mostShownPages(days)} USING (query) ORDER BY missed_clicks DESC, query`);
  return rows;
}

/** The sums of a property on one of its days. */
export interface SearchDay {
  day: string;
  clicks: number;
  impressions: number;
  /** The positions of all impressions added up; 0 where they are unknown. */
  position_sum: number;
}

/** Returns the sums of a property day by day. */
export async function searchByDay(days: SearchDays): Promise<SearchDay[]> {
  const { rows } = await reports().query<SearchDay>(sql`
    SELECT day::text, clicks, impressions, position_sum::float8 AS position_sum FROM search_day WHERE ${inSearchDays(days)} ORDER BY day`);
  return rows;
}
