import { anyOf, conversionEvents, goalsOf } from "@/lib/analytics/conversions";
import { wordsOf } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { ofTypes, reaching } from "@/lib/analytics/filters";
import { dayOf, eventsIn, fromThenOn, type Scope } from "@/lib/analytics/question";
import { Prisma, reports } from "@/lib/db";

/** What visitors searched for on the site, and what they did then. */

const NEXT_PAGES = 5;

export interface SearchRow {
  /** null: of all searches together. */
  term: string | null;
  searches: number;
  visitors: number;
  terms: number;
  /** Searches that told how many results they had, and those that had none. */
  told: number;
  empty: number;
  refined: number;
  exits: number;
  converted: number;
  next: { page: string; searches: number }[];
}

/** SQL for what an event was about, by any of the names that a term goes by. */
const WORDS = Prisma.sql`coalesce(nullif(btrim(fact.props ->> 'term'), ''), nullif(btrim(fact.props ->> 'search_term'), ''),
  nullif(btrim(fact.props ->> 'q'), ''), nullif(btrim(fact.props ->> 'keyword'), ''))`;

/** SQL for the term of an event as it is told: no case, no needless space. */
const TERM = Prisma.sql`left(lower(btrim(regexp_replace(${WORDS}, '\\s+', ' ', 'g'))), 200)`;

/** SQL for how many results an event told of, as text of digits; null when it told none. */
const RESULTS = Prisma.sql`substring(fact.props ->> 'results' FROM '^[0-9]{1,9}$')`;

/** What converts after a search: any goal of the site; without goals any counted event that is no search. */
export interface Aim {
  basis: "goals" | "events";
  searched: Prisma.Sql;
  met: Prisma.Sql;
}

export async function aimOf(siteId: number): Promise<Aim> {
  const [goals, named] = await Promise.all([goalsOf(siteId), reaching(siteId, { kind: "event", pattern: "Search" })]);
  // A term is left when it is more than space.
  const searched = Prisma.sql`(${named} AND ${WORDS} ~ '\\S')`;
  const converts = anyOf(await conversionEvents(siteId, goals));
  if (goals.length > 0) return { basis: "goals", searched, met: converts };
  return { basis: "events", searched, met: Prisma.sql`(${converts} AND NOT ${named})` };
}

/**
 * The searches of a scope: one row for all of them, and rows by term, the most searched first.
 *
 * @param among only the rows of these terms; without it, `limit` of them.
 */
export function searchesIn(
  scope: Scope,
  aim: Aim,
  limit: number,
  among: readonly string[] | null,
): Promise<SearchRow[]> {
  const chosen = among ? Prisma.sql`term = ANY(${among}::text[])` : Prisma.sql`place <= ${limit}`;
  return reports().$queryRaw`
    WITH outcome AS MATERIALIZED (${outcomesIn(scope, aim)}), people AS (
      SELECT term, count(visitor_id)::int AS visitors
      FROM (SELECT term, visitor_id FROM outcome GROUP BY GROUPING SETS ((visitor_id, day), (term, visitor_id, day))) AS each GROUP BY term
    ), summed AS (
      SELECT term, count(*)::int AS searches, count(DISTINCT term)::int AS terms, count(results)::int AS told,
        (count(*) FILTER (WHERE results::int = 0))::int AS empty,
        (count(*) FILTER (WHERE first_after <> term OR last_after <> term))::int AS refined,
        (count(*) FILTER (WHERE next IS NULL))::int AS exits,
        (count(*) FILTER (WHERE converts))::int AS converted
      FROM outcome GROUP BY GROUPING SETS ((), (term))
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY term IS NULL ORDER BY searches DESC, term) AS place FROM summed
    ), kept AS (SELECT * FROM ranked WHERE term IS NULL OR ${chosen}), onward AS (${onwardFrom(scope)})
    SELECT kept.*, coalesce(people.visitors, 0) AS visitors, coalesce(onward.pages, '[]'::jsonb) AS next
    FROM kept LEFT JOIN people ON coalesce(people.term, '') = coalesce(kept.term, '')
      LEFT JOIN onward ON coalesce(onward.term, '') = coalesce(kept.term, '')
    ORDER BY kept.term IS NOT NULL, kept.place`;
}

/** SQL for the pages seen next most often after the searches of `outcome`: of all of them, and of each term. */
const onwardFrom = ({ siteId }: Scope): Prisma.Sql => Prisma.sql`
  SELECT term, jsonb_agg(jsonb_build_object('page', page, 'searches', searches) ORDER BY place) AS pages
  FROM (
    SELECT outcome.term, words.word AS page, count(*)::int AS searches, row_number() OVER (
      PARTITION BY outcome.term ORDER BY count(*) DESC, words.word) AS place
    FROM outcome JOIN ${wordsOf("page", siteId)} AS words ON words.id = outcome.next[2]::int
    GROUP BY GROUPING SETS ((words.word), (outcome.term, words.word))) AS pages
  WHERE place <= ${NEXT_PAGES} GROUP BY term`;

/**
 * SQL for one row per search with what came strictly after it in its visit, until the visit's end: terms, the next page
 * and conversions. Read from the end of each visit, what comes later is what has been read, so that one pass is enough.
 */
function outcomesIn(scope: Scope, { searched, met }: Aim): Prisma.Sql {
  const viewed = ofTypes(VIEWS);
  // Of other types nothing is asked: said before all else, it spares looking at most events more closely.
  const types = ofTypes([...VIEWS, ...NAMED_EVENTS]);
  return Prisma.sql`
    SELECT * FROM (
      SELECT asked, visitor_id, day, term, results, min(term) OVER later AS first_after, max(term) OVER later AS last_after,
        min(view) OVER later AS next, coalesce(bool_or(met) OVER later, false) AS converts
      FROM (
        SELECT (${searched} AND ${eventsIn(scope)}) AS asked, fact.visit_id, fact.visitor_id, fact.ts,
          ${dayOf(Prisma.sql`fact.ts`, scope)} AS day, CASE WHEN ${searched} THEN ${TERM} END AS term, ${RESULTS} AS results,
          CASE WHEN ${viewed} THEN ARRAY[extract(epoch FROM fact.ts)::float8, fact.page] END AS view, ${met} AS met
        FROM facts.event AS fact WHERE ${fromThenOn(scope)} AND ${types}
          AND fact.visit_id IN (SELECT fact.visit_id FROM facts.event AS fact WHERE ${eventsIn(scope)} AND ${searched})
      ) AS step
      WINDOW later AS (PARTITION BY visit_id ORDER BY ts DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS each WHERE asked`;
}
