import { converting } from "@/lib/analytics/query/conversions";
import { numbersOf, wordsOf } from "@/lib/analytics/query/dimension-sql";
import type { Goal } from "@/lib/analytics/query/goals";
import { around, eventsIn, queryCopy, type Scope, visitsIn, wholeVisits } from "@/lib/analytics/query/scope";
import { BOUNCED, PRESENT, VISITOR } from "@/lib/analytics/query/sums-sql";
import { presentVisits } from "@/lib/analytics/query/visit-values";
import type { VisitSums } from "@/lib/analytics/reports/visit-numbers";
import { type Sql, sql } from "@/lib/platform/sql";

/** Acquisition by search engines and assistants: visits by source and landing page. */

/** The visits that came from a source to a landing page. */
interface LandingPageSums extends VisitSums {
  source: string | null;
  page: string | null;
}

/** The landing pages of a channel with the most visits, and the totals of the channel. */
export interface LandingPages {
  rows: LandingPageSums[];
  total: LandingPageSums;
}

export const CHANNELS = { organic: "Organic Search", assistants: "AI assistants" } as const;
type Channel = keyof typeof CHANNELS;

const NONE: LandingPageSums = { source: null, page: null, visitors: 0, visits: 0, bounces: 0, conversions: 0 };

/**
 * @param goals of the site.
 * @param limit of the landing pages of each channel.
 * @param engine narrows organic search to one source.
 */
export async function landingPagesOf(
  scope: Scope,
  goals: readonly Goal[],
  limit: number,
  engine: string | null,
): Promise<Record<Channel, LandingPages>> {
  const [rows] = await queryCopy<[(LandingPageSums & { channel: string; whole: boolean })[]]>(
    scope,
    landingPagesSql(scope, converting(goals), limit, engine),
  );
  const of = (channel: Channel): LandingPages => {
    const found = rows.filter((row) => row.channel === CHANNELS[channel]);
    const landings = (whole: boolean) =>
      found.filter((row) => row.whole === whole).map(({ channel: _, whole: __, ...row }): LandingPageSums => row);
    return { rows: landings(false), total: landings(true)[0] ?? NONE };
  };
  return { organic: of("organic"), assistants: of("assistants") };
}

/** A visit converts by any of its events, also after the range. */
const landingPagesSql = (scope: Scope, converts: Sql, limit: number, engine: string | null): Sql => sql`
  WITH acquisition AS (
    SELECT id, channel, nullif(source, '') AS source FROM referrer
    WHERE channel = ${CHANNELS.assistants} OR (channel = ${CHANNELS.organic} ${engine ? sql`AND source = ${engine}` : sql``})),
  visits AS MATERIALIZED (
    SELECT acquisition.channel, acquisition.source, fact.entry_page, fact.visit_id, ${BOUNCED} AS bounced
    FROM visit AS fact JOIN acquisition ON acquisition.id = fact.referrer WHERE ${visitsIn(scope)}),
  converted AS MATERIALIZED (
    SELECT DISTINCT fact.visit_id FROM event AS fact
    WHERE ${around(scope)} AND fact.visit_id IN (SELECT visit_id FROM visits) AND ${converts}),
  present AS (
    SELECT acquisition.channel, acquisition.source, whole.entry_page, ${VISITOR} AS visitor
    FROM (${presentVisits(sql`event AS fact WHERE fact.referrer IN (SELECT id FROM acquisition) AND ${eventsIn(scope)} AND ${PRESENT}`)}) AS fact
    JOIN acquisition ON acquisition.id = fact.referrer
    JOIN ${wholeVisits(scope)} AS whole ON whole.visit_id = fact.visit_id),
  counting AS (
    SELECT channel, source, entry_page, NULL AS visitor, visits.visit_id, bounced, converted.visit_id AS converted
    FROM visits LEFT JOIN converted ON converted.visit_id = visits.visit_id
    UNION ALL SELECT channel, source, entry_page, visitor, NULL, false, NULL FROM present),
  seen AS (
    SELECT channel, source, landing.number AS page, grouping(source) > 0 AS whole, count(DISTINCT visitor) AS visitors,
      count(visit_id) AS visits, count(*) FILTER (WHERE bounced) AS bounces, count(converted) AS conversions
    FROM counting JOIN ${numbersOf("entry_page")} AS landing ON landing.id = counting.entry_page
    GROUP BY GROUPING SETS ((channel, source, landing.number), (channel)))
  SELECT seen.* REPLACE (nullif(landing.word, '') AS page)
  FROM seen LEFT JOIN ${wordsOf("entry_page")} AS landing ON landing.id = seen.page
  QUALIFY whole OR row_number() OVER (
    PARTITION BY channel, whole ORDER BY visits DESC, source NULLS LAST, nullif(landing.word, '') NULLS LAST) <= ${limit}
  ORDER BY visits DESC, source NULLS LAST, page NULLS LAST`;
