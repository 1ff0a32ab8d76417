import { type DimensionKey, dimensionOf, factsOf, ONLY_ON_VISITS } from "@/lib/analytics/dimensions";
import { BOUNCED, EVENT_SUMS } from "@/lib/analytics/fact-sums";
import { inWords } from "@/lib/analytics/partials";
import { eventsIn, type Scope, visitsIn } from "@/lib/analytics/question";
import { allOf, pieces, setOf } from "@/lib/analytics/sources";
import type { Sums } from "@/lib/analytics/sums";
import { Prisma, reports } from "@/lib/db";

/**
 * Which values of a dimension may have the most visitors. To count visits and pageviews is cheap, to tell their visitors
 * apart is not: no value has more visitors than visits, and so most of them need not be looked at.
 */

/** Visitors are told apart for so many values of a dimension: a bit for each, and two dimensions in one number. */
export const MOST_CANDIDATES = 31;

/** A value with what is known of it without telling visitors apart. */
export interface Candidate {
  value: string | null;
  /** In the order of values, from 1. */
  place: number;
  /** Of the sealed days. */
  visitors: number;
  visits: number;
  pageviews: number;
  /** Visits of all other days, or pageviews by page: as many visitors they can add at most. */
  fresh: number;
}

export interface Candidates {
  rows: Candidate[];
  /** No other value has more visitors than these. */
  others: number;
}

export interface Found<Key extends keyof Sums> {
  candidates: ReadonlyMap<DimensionKey, Candidates>;
  /** What all facts that are not sealed come to. */
  sums: Pick<Sums, Key>;
}

/**
 * The candidates of dimensions of visits, and what the visits come to, but for their visitors.
 *
 * @param sealed rows of partial sums of sealed days, by each of the dimensions.
 */
export function visitCandidates(
  scope: Scope,
  keys: readonly DimensionKey[],
  sealed: readonly Prisma.Sql[][],
): Promise<Found<"visits" | "bounces" | "durationMs">> {
  const facts = factsOf(keys);
  const lists = keys.map((key, index) => {
    // Visits in which no page was seen have no entry and no exit page.
    const fresh = ONLY_ON_VISITS.has(key) ? Prisma.sql`viewed` : Prisma.sql`visits`;
    const list = setOf(
      facts.length,
      facts.findIndex(({ sql }) => sql === dimensionOf(key).fact.sql),
    );
    return listOf(scope, key, Prisma.sql`SELECT id, ${fresh} FROM counted WHERE list = ${list}`, sealed[index] ?? []);
  });
  const sums = Prisma.sql`
    SELECT coalesce(sum(visits), 0) AS visits, coalesce(sum(bounces), 0) AS bounces,
           coalesce(sum(duration), 0) AS "durationMs" FROM counted WHERE list = ${allOf(facts.length)}`;
  return find(keys, countsBy(scope, facts), lists, sums);
}

/**
 * The candidates among pages, and what the events come to, but for how far pages were scrolled.
 *
 * @param sealed rows of partial sums of sealed days by page.
 */
export function pageCandidates(
  scope: Scope,
  sealed: readonly Prisma.Sql[],
): Promise<Found<"pageviews" | "events" | "engagementMs" | "engaged">> {
  const each = wholeParts(scope).map(
    (part) => Prisma.sql`
      SELECT fact.page AS id, ${EVENT_SUMS} FROM facts.event AS fact WHERE ${eventsIn(part)} GROUP BY fact.page`,
  );
  const counts = Prisma.sql`
    SELECT id, ${ADDED_EVENTS} FROM (${Prisma.join(each, " UNION ALL ")}) AS part GROUP BY id`;
  const list = listOf(scope, "page", Prisma.sql`SELECT id, pageviews FROM counted WHERE pageviews > 0`, sealed);
  // Each event has a page or none.
  return find(["page"], counts, [list], Prisma.sql`SELECT ${ADDED_EVENTS} FROM counted`);
}

const ADDED_EVENTS = Prisma.sql`
  coalesce(sum(pageviews), 0)::int AS pageviews, coalesce(sum(events), 0)::int AS events,
  coalesce(sum("engagementMs"), 0)::float8 AS "engagementMs", coalesce(sum(engaged), 0)::int AS engaged`;

/** To count ids takes little memory, however many days they are of. */
const wholeParts = (scope: Scope) => pieces(scope, Number.POSITIVE_INFINITY);

/** @param counts SQL for the table `counted`. @param lists SQL for the candidates of each dimension. @param sums for one row. */
async function find<Key extends keyof Sums>(
  keys: readonly DimensionKey[],
  counts: Prisma.Sql,
  lists: readonly Prisma.Sql[],
  sums: Prisma.Sql,
): Promise<Found<Key>> {
  const rows = await reports().$queryRaw<(Candidate & { key: DimensionKey; sums: Pick<Sums, Key> })[]>`
    WITH counted AS MATERIALIZED (${counts})
    SELECT to_jsonb(sums) AS sums, lists.* FROM (${sums}) AS sums
    LEFT JOIN (${Prisma.join([...lists], " UNION ALL ")}) AS lists ON true ORDER BY visitors + fresh DESC`;
  const candidates = keys.map((key) => [key, firstOf(rows.filter((row) => row.key === key))] as const);
  return { candidates: new Map(candidates), sums: (rows[0] as (typeof rows)[number]).sums };
}

/** SQL for rows `list, id, visits, viewed, bounces, duration` of each of these columns, and one of everything. */
function countsBy(scope: Scope, columns: Prisma.Sql[]): Prisma.Sql {
  const each = wholeParts(scope).map(
    (part) => Prisma.sql`
      SELECT GROUPING(${Prisma.join(columns)}) AS list, coalesce(${Prisma.join(columns)}) AS id, count(*)::int AS visits,
             (count(*) FILTER (WHERE fact.pageviews > 0))::int AS viewed, (count(*) FILTER (WHERE ${BOUNCED}))::int AS bounces,
             sum(fact.duration_ms)::float8 AS duration
      FROM facts.visit AS fact WHERE ${visitsIn(part)}
      GROUP BY GROUPING SETS (${Prisma.join(columns.map((column) => Prisma.sql`(${column})`))}, ())`,
  );
  return Prisma.sql`
    SELECT list, id, sum(visits)::int AS visits, sum(viewed)::int AS viewed, sum(bounces)::int AS bounces, sum(duration) AS duration
    FROM (${Prisma.join(each, " UNION ALL ")}) AS part GROUP BY list, id`;
}

/** SQL for the candidates of a dimension, and one more. @param fresh rows `id, fresh`. @param sealed rows of partial sums. */
function listOf({ siteId }: Scope, key: DimensionKey, fresh: Prisma.Sql, sealed: readonly Prisma.Sql[]): Prisma.Sql {
  const parts = [
    Prisma.sql`
      SELECT words.value, 0 AS visitors, 0 AS visits, 0 AS pageviews, counts.fresh FROM (${fresh}) AS counts(id, fresh)
      LEFT JOIN ${inWords(key, siteId)} AS words(id, value) ON words.id = counts.id`,
    ...sealed.map(
      (rows) => Prisma.sql`SELECT k0, visitors::int, visits::int, pageviews::int, 0 FROM (${rows}) AS sealed`,
    ),
  ];
  return Prisma.sql`
    (SELECT ${key} AS key, (row_number() OVER (ORDER BY value))::int AS place, first.* FROM (
      SELECT value, sum(visitors)::int AS visitors, sum(visits)::int AS visits, sum(pageviews)::int AS pageviews,
             sum(fresh)::int AS fresh
      FROM (${Prisma.join(parts, " UNION ALL ")}) AS part GROUP BY value HAVING sum(visitors) + sum(fresh) > 0
      ORDER BY sum(visitors) + sum(fresh) DESC LIMIT ${MOST_CANDIDATES + 1}) AS first)`;
}

function firstOf(rows: Candidate[]): Candidates {
  const next = rows[MOST_CANDIDATES];
  return { rows: rows.slice(0, MOST_CANDIDATES), others: next ? next.visitors + next.fresh : 0 };
}
