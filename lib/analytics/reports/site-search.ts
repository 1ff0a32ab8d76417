import { type Sql, sql } from "@/lib/analytics/engine/sql";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { converting, goalsOf } from "@/lib/analytics/query/conversions";
import { wordsOf } from "@/lib/analytics/query/dimension-sql";
import { ofTypes, reaching } from "@/lib/analytics/query/filters";
import { eventsIn, fromThenOn, query, type Scope } from "@/lib/analytics/query/scope";

/** What visitors searched for on the site, and what they did then. */

const NEXT_PAGES = 5;

export interface SearchRow {
  /** null: of all searches together. */
  term: string | null;
  searches: number;
  visitors: number;
  terms: number;
  /** Searches that reported how many results they had, and those that had none. */
  told: number;
  empty: number;
  refined: number;
  exits: number;
  converted: number;
  next: { page: string; searches: number }[];
}

/** White space of any script, as RE2 writes it. */
const SPACE = "[\\s\\v\\p{Z}\\x{85}]+";

const propertySql = (name: string): Sql =>
  sql`nullif(trim(regexp_replace(fact.props[${name}], ${SPACE}, ' ', 'g')), '')`;

/** SQL for the term of an event, by the first of its names that has any; null without a term. */
const TERM = sql`left(lower(
  coalesce(${propertySql("term")}, ${propertySql("search_term")}, ${propertySql("q")}, ${propertySql("keyword")})), 200)`;

/** SQL for how many results an event reported; null when it reported none. */
const RESULTS = sql`try_cast(nullif(regexp_extract(fact.props['results'], '^[0-9]{1,9}$'), '') AS INTEGER)`;

/** What converts after a search: any goal of the site; without goals any counted event that is no search. */
export interface SearchGoal {
  basis: "goals" | "events";
  /** Which events are searches, if they have a term, and which convert: conditions on `event AS fact`. */
  searched: Sql;
  met: Sql;
}

export async function searchGoalOf(siteId: number): Promise<SearchGoal> {
  const goals = await goalsOf(siteId);
  const searched = reaching({ kind: "event", pattern: "Search" });
  const converts = converting(goals);
  if (goals.length > 0) return { basis: "goals", searched, met: converts };
  return { basis: "events", searched, met: sql`(${converts} AND NOT ${searched})` };
}

/**
 * The searches of a scope: one row for all of them, and rows by term, the most searched first.
 *
 * @param among only the rows of these terms; without it, `limit` of them.
 */
export async function searchesIn(
  scope: Scope,
  goal: SearchGoal,
  limit: number,
  among: readonly string[] | null,
): Promise<SearchRow[]> {
  const chosen = among ? sql`list_contains(${among}::VARCHAR[], ranked.term)` : sql`ranked.rank <= ${limit}`;
  const [rows] = await query<[SearchRow[]]>(
    scope,
    sql`
    WITH outcome AS MATERIALIZED (${outcomesIn(scope, goal)}), people AS (
      SELECT term, count(visitor_id) AS visitors
      FROM (SELECT term, visitor_id FROM outcome GROUP BY GROUPING SETS ((visitor_id, day), (term, visitor_id, day))) AS each
      GROUP BY term
    ), summed AS (
      SELECT term, count(*) AS searches, count(DISTINCT term) AS terms, count(results) AS told,
        count(*) FILTER (WHERE results = 0) AS empty,
        count(*) FILTER (WHERE first_after <> term OR last_after <> term) AS refined,
        count(*) FILTER (WHERE next IS NULL) AS exits, count(*) FILTER (WHERE converts) AS converted
      FROM outcome GROUP BY GROUPING SETS ((), (term))
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY term IS NULL ORDER BY searches DESC, term) AS rank FROM summed
    ), onward AS (${ONWARD})
    SELECT ranked.* EXCLUDE (rank), coalesce(people.visitors, 0) AS visitors, coalesce(onward.pages, []) AS next
    FROM ranked LEFT JOIN people ON people.term IS NOT DISTINCT FROM ranked.term
      LEFT JOIN onward ON onward.term IS NOT DISTINCT FROM ranked.term
    WHERE ranked.term IS NULL OR ${chosen} ORDER BY ranked.term IS NOT NULL, ranked.rank`,
  );
  return rows;
}

/** SQL for the pages seen next most often after the searches of `outcome`: of all of them, and of each term. */
const ONWARD = sql`
  SELECT term, list({'page': page, 'searches': searches} ORDER BY rank) AS pages FROM (
    SELECT outcome.term, words.word AS page, count(*) AS searches, row_number() OVER (
      PARTITION BY outcome.term ORDER BY count(*) DESC, words.word) AS rank
    FROM outcome JOIN ${wordsOf("page")} AS words ON words.id = outcome.next.page
    GROUP BY GROUPING SETS ((words.word), (outcome.term, words.word)) QUALIFY rank <= ${NEXT_PAGES}) AS pages
  GROUP BY term`;

/**
 * SQL for one row per search with what came strictly after it in its visit, until the visit's end: terms, the next page
 * and conversions.
 */
function outcomesIn(scope: Scope, { searched, met }: SearchGoal): Sql {
  const viewed = ofTypes(VIEWS);
  return sql`
    SELECT * FROM (
      SELECT matches AND term IS NOT NULL AS is_search, visitor_id, day, term, results,
        min(term) OVER later AS first_after, max(term) OVER later AS last_after, min(view) OVER later AS next,
        coalesce(bool_or(met) OVER later, false) AS converts
      FROM (
        SELECT (${eventsIn(scope)}) AS matches, fact.visit_id, fact.visitor_id, fact.ts, fact.day,
          CASE WHEN ${searched} THEN ${TERM} END AS term, ${RESULTS} AS results,
          CASE WHEN ${viewed} THEN {'ts': fact.ts, 'page': fact.page} END AS view, ${met} AS met
        FROM event AS fact WHERE ${fromThenOn(scope)} AND ${ofTypes([...VIEWS, ...NAMED_EVENTS])}
          AND fact.visit_id IN (SELECT fact.visit_id FROM event AS fact WHERE ${eventsIn(scope)} AND ${searched})
      ) AS step
      WINDOW later AS (PARTITION BY visit_id ORDER BY ts DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS each WHERE is_search`;
}
