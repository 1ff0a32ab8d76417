import { converting } from "@/lib/analytics/query/conversions";
import { ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { VIEWS } from "@/lib/analytics/query/event-types";
import { reaching } from "@/lib/analytics/query/filters";
import { conversionBasis, convertingGoals } from "@/lib/analytics/query/goals";
import { eventsFromStart, eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { bucketed, type Trend } from "@/lib/analytics/reports/trend";
import { type Sql, sql } from "@/lib/platform/sql";

/** What visitors searched for on the site, and what they did next. */

const NEXT_PAGES = 5;

export interface SearchRow {
  /** null: of all searches together. */
  term: string | null;
  searches: number;
  visitors: number;
  terms: number;
  /** Searches that reported how many results they had, and those that had none. */
  with_count: number;
  empty: number;
  refined: number;
  exits: number;
  converted: number;
  next: { page: string; searches: number }[];
}

export type SearchBucket = Omit<SearchRow, "term" | "visitors" | "next"> & { bucket: number };

/** White space of any script, as RE2 writes it. */
const SPACE = "[\\s\\v\\p{Z}\\x{85}]+";

const propertySql = (name: string): Sql => sql`nullif(trim(fact.props[${name}]), '')`;

/** SQL for the text of a search: the first of these properties that is not empty. */
const WRITTEN = sql`
  coalesce(${propertySql("term")}, ${propertySql("search_term")}, ${propertySql("q")}, ${propertySql("keyword")})`;

/** SQL for the term of a text: lower case, single spaces. */
const TERM = sql`left(lower(trim(regexp_replace(written, ${SPACE}, ' ', 'g'))), 200)`;

/** SQL for the number of results that an event reported; null when it reported no number. */
const RESULT_COUNT = sql`try_cast(nullif(regexp_extract(fact.props['results'], '^[0-9]{1,9}$'), '') AS INTEGER)`;

/** SQL for the events that are searches, if they have a term: a condition on `event AS fact`. */
const searchEvents = (): Sql => reaching({ kind: "event", pattern: "Search" });

/** SQL for the searches with a term, as a condition on `event AS fact`. */
export const searchesWithTerm = (): Sql => sql`(${searchEvents()} AND ${WRITTEN} IS NOT NULL)`;

/** What converts after a search: the chosen goal, or any of the site; without goals any counted event that is not a search. */
interface SearchGoal {
  basis: "goal" | "goals" | "events";
  /** Name of the chosen goal. */
  goal: string | null;
  /** Which events are searches, if they have a term, and which convert: conditions on `event AS fact`. */
  searched: Sql;
  met: Sql;
}

export async function searchGoalOf(siteId: number, chosen: string | null): Promise<SearchGoal> {
  const goals = await convertingGoals(siteId, chosen);
  const searched = searchEvents();
  const converts = converting(goals);
  const met = goals.length > 0 ? converts : sql`(${converts} AND NOT ${searched})`;
  return { ...conversionBasis(goals, chosen), searched, met };
}

/** The searches of a scope: a row for all of them, those of the `limit` terms searched most, and the buckets that have any. */
export async function searchesIn(
  scope: Scope,
  goal: SearchGoal,
  limit: number,
  trend: Trend,
): Promise<{ rows: SearchRow[]; buckets: SearchBucket[] }> {
  const [found] = await queryCopy<[(SearchRow & SearchBucket)[]]>(
    scope,
    sql`
    WITH ${outcomesAfterSearch(scope, goal)}
    FROM (${rowsSql(sql`ranked.rank <= ${limit}`)}) AS terms
    UNION ALL BY NAME SELECT buckets.number AS bucket, count(DISTINCT fact.term) AS terms, ${COUNTED}
    FROM outcome AS fact ${bucketed(scope, trend)} GROUP BY ALL`,
  );
  return {
    rows: found.filter(({ bucket }) => bucket === null),
    buckets: found.filter(({ bucket }) => bucket !== null),
  };
}

/** The searches of a scope: a row for all of them, and those of these terms, the most searched first. */
export async function searchesAmong(scope: Scope, goal: SearchGoal, terms: readonly string[]): Promise<SearchRow[]> {
  const chosen = sql`list_contains(${terms}::VARCHAR[], ranked.term)`;
  const [rows] = await queryCopy<[SearchRow[]]>(
    scope,
    sql`WITH ${outcomesAfterSearch(scope, goal)} FROM (${rowsSql(chosen)}) AS terms`,
  );
  return rows;
}

/** SQL for the numbers of some searches of `outcome`. */
const COUNTED = sql`count(*) AS searches, count(results) AS with_count, count(*) FILTER (WHERE results = 0) AS empty,
  count(*) FILTER (WHERE is_refined) AS refined, count(*) FILTER (WHERE next IS NULL) AS exits,
  count(*) FILTER (WHERE converts) AS converted`;

/** SQL for the rows of all searches and of the chosen terms. */
const rowsSql = (chosen: Sql): Sql => sql`
  WITH people AS (
    SELECT term, count(visitor_id) AS visitors
    FROM (SELECT term, visitor_id FROM outcome GROUP BY GROUPING SETS ((visitor_id, day), (term, visitor_id, day))) AS each
    GROUP BY term
  ), summed AS (
    SELECT term, count(DISTINCT term) AS terms, ${COUNTED}
    FROM outcome GROUP BY GROUPING SETS ((), (term))
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY term IS NULL ORDER BY searches DESC, term) AS rank FROM summed
  ), onward AS (${ONWARD})
  SELECT ranked.* EXCLUDE (rank), coalesce(people.visitors, 0) AS visitors, coalesce(onward.pages, []) AS next
  FROM ranked LEFT JOIN people ON people.term IS NOT DISTINCT FROM ranked.term
    LEFT JOIN onward ON onward.term IS NOT DISTINCT FROM ranked.term
  WHERE ranked.term IS NULL OR ${chosen} ORDER BY ranked.term IS NOT NULL, ranked.rank`;

/** SQL for the pages seen next most often after the searches of `outcome`: of all of them, and of each term. */
const ONWARD = sql`
  SELECT term, list({'page': page, 'searches': searches} ORDER BY rank) AS pages FROM (
    SELECT outcome.term, words.word AS page, count(*) AS searches, row_number() OVER (
      PARTITION BY outcome.term ORDER BY count(*) DESC, words.word) AS rank
    FROM outcome JOIN ${wordsOf("page")} AS words ON words.id = outcome.next
    GROUP BY GROUPING SETS ((words.word), (outcome.term, words.word)) QUALIFY rank <= ${NEXT_PAGES}) AS pages
  GROUP BY term`;

/**
 * SQL of `chosen`, the searches of a scope, and `outcome`, to follow WITH: one row per search with what came strictly after
 * it in its visit, until the visit's end: the next page, a conversion, and another term. A search is followed by another
 * term if that one was last searched for after it, so that the two terms of a visit that were searched for last are enough
 * to know it.
 */
const outcomesAfterSearch = (scope: Scope, { searched, met }: SearchGoal): Sql => sql`
  sent AS MATERIALIZED (
    SELECT fact.visit_id, fact.visitor_id, fact.day, fact.ts, ${WRITTEN} AS written, ${RESULT_COUNT} AS results,
      (${eventsIn(scope)}) AS is_chosen
    FROM event AS fact WHERE ${eventsFromStart(scope)} AND ${searched}
  ), search AS MATERIALIZED (
    SELECT * FROM sent JOIN (SELECT written, ${TERM} AS term FROM (SELECT DISTINCT written FROM sent)) AS terms USING (written)
    WHERE term <> ''
  ), chosen AS MATERIALIZED (SELECT * FROM search WHERE is_chosen
  ), viewed AS (
    SELECT fact.visit_id, fact.ts, min(fact.page) AS page FROM event AS fact
    WHERE ${eventsFromStart(scope)} AND ${ofTypes(VIEWS)} AND fact.visit_id IN (SELECT visit_id FROM chosen) GROUP BY 1, 2
  ), converted AS (
    SELECT fact.visit_id, max(fact.ts) AS last FROM event AS fact
    WHERE ${eventsFromStart(scope)} AND ${met} AND fact.visit_id IN (SELECT visit_id FROM chosen) GROUP BY 1
  ), final AS (
    SELECT visit_id, arg_max(term, last) AS term, max(last, 2) AS last
    FROM (SELECT visit_id, term, max(ts) AS last FROM search GROUP BY 1, 2) AS terms GROUP BY 1
  ), outcome AS MATERIALIZED (
    SELECT chosen.*, viewed.page AS next, coalesce(converted.last > chosen.ts, false) AS converts,
      coalesce(CASE WHEN final.term = chosen.term THEN final.last[2] ELSE final.last[1] END > chosen.ts, false) AS is_refined
    FROM chosen JOIN final USING (visit_id) LEFT JOIN converted USING (visit_id)
      ASOF LEFT JOIN viewed ON viewed.visit_id = chosen.visit_id AND chosen.ts < viewed.ts)`;
