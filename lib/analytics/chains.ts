import { lasting, partsOf } from "@/lib/analytics/parts";
import { dayOf, hitsTable, type Scope } from "@/lib/analytics/question";
import { Prisma, reports } from "@/lib/db";
import { localDay, startOfDay } from "@/lib/time";

/**
 * Chains of steps, in one pass over the facts. A visitor has one chain for each local day on which the first step was
 * taken: of all that begin on that day the longest one, and among those of its length the first to get there, each
 * step by the last event that could still serve it. A step that chains of several days reach by the same event counts
 * once, for the latest of these days: the chains of the others end before it. A chain that goes on from a common event
 * has all later steps in common too, so that no chain has a gap.
 */

/** What a chain is looked for in: first steps in the scope, later ones within its reach, as are first steps of later days. */
export interface Stretch {
  scope: Scope;
  reach: Scope;
}

export interface ChainQuestion extends Stretch {
  /** What each step is reached by, as conditions on `fact`. */
  conditions: readonly Prisma.Sql[];
  windowMinutes: number;
}

/** A scope together with the days on which its chains may still go on. */
export function reachOf(scope: Scope, windowMinutes: number): Scope {
  const { range } = scope;
  // What is compared with a day that is not over yet ends at the same time of day.
  if (range.back && range.end < startOfDay(range.to.add({ days: 1 }), range.timezone)) return scope;
  const latest = new Date(range.end.getTime() + windowMinutes * 60_000 - 1);
  return lasting(scope, { end: startOfDay(localDay(latest, range.timezone).add({ days: 1 }), range.timezone) });
}

/** Cuts a scope between local days: what chains of different days have in common lies within the reach of both. */
export function stretches(scope: Scope, windowMinutes: number): Stretch[] {
  const latest = reachOf(scope, windowMinutes).range.end.getTime();
  return partsOf(scope).map((part) => {
    const { end } = reachOf(lasting(part, { back: undefined }), windowMinutes).range;
    return { scope: part, reach: lasting(part, { end: new Date(Math.min(latest, end.getTime())) }) };
  });
}

const bit = (index: number): number => 2 ** index;

/** What the steps of an event are, as bits. */
const maskOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.join(
    conditions.map((condition, index) => Prisma.sql`CASE WHEN ${condition} THEN ${bit(index)}::int ELSE 0 END`),
    " | ",
  );

/**
 * SQL for the tables `hits` (visitor_id, ts, visit_id, mask, and what is asked for besides), `starts` (visitor_id, day, first, last)
 * and `chains` (visitor_id, day, chain: the moments of its steps), to stand after WITH. Chains of one step are in `starts`
 * alone, unless the visitor took the second one too. Both are those of the scope's days.
 *
 * @param more further columns of `fact` in `hits`, each after a comma.
 */
export function chainTables(
  { scope, reach, conditions, windowMinutes }: ChainQuestion,
  more = Prisma.empty,
): Prisma.Sql {
  const window = Prisma.sql`make_interval(mins => ${windowMinutes}::int)`;
  const days = scope.days.length;
  const first = Prisma.sql`
    SELECT visitor_id, day, ts, mask, CASE WHEN mask & 1 <> 0 AND ts <= last THEN ARRAY[ts] END AS chain
    FROM begun JOIN hits USING (visitor_id) WHERE ts >= first AND ts <= last + ${window}`;
  const steps = conditions
    .slice(1)
    .reduce(
      (before, _, index) => follow(before, bit(index + 1), window),
      Prisma.sql`SELECT *, chain AS best FROM (${first}) AS taken`,
    );
  return Prisma.sql`${hitsTable(reach, Prisma.sql`(${Prisma.join([...conditions], " OR ")})`, maskOf(conditions), more)},
    entries AS MATERIALIZED (
      SELECT visitor_id, day, min(ts) AS first, max(ts) AS last
      FROM (SELECT visitor_id, ts, ${dayOf(Prisma.sql`ts`, reach)} AS day FROM hits WHERE mask & 1 <> 0) AS entry
      WHERE ts < ${scope.range.end} OR day >= ${days}::int GROUP BY 1, 2),
    starts AS MATERIALIZED (SELECT * FROM entries WHERE day < ${days}::int),
    begun AS MATERIALIZED (
      SELECT entries.* FROM entries
      JOIN (SELECT visitor_id, max(ts) AS latest FROM hits WHERE mask & 2 <> 0 GROUP BY 1) AS second USING (visitor_id)
      WHERE latest > first),
    ends AS (
      SELECT DISTINCT ON (visitor_id, day, cardinality(best)) visitor_id, day, ts, best AS chain
      FROM (${steps}) AS taken WHERE best IS NOT NULL ORDER BY visitor_id, day, cardinality(best), ts),
    counted AS (
      SELECT DISTINCT ON (visitor_id, cardinality(chain), ts) * FROM ends
      ORDER BY visitor_id, cardinality(chain), ts, day DESC),
    chains AS MATERIALIZED (
      SELECT DISTINCT ON (visitor_id, day) visitor_id, day, chain FROM counted WHERE day < ${days}::int
      ORDER BY visitor_id, day, cardinality(chain) DESC)`;
}

/**
 * One step further. The chain that began last is the best one to go on with: it has the most of its window left. Only what
 * happened before this very moment may be gone on with.
 */
const follow = (before: Prisma.Sql, step: number, window: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT visitor_id, day, ts, mask, longer AS chain, coalesce(longer, best) AS best FROM (
    SELECT *, CASE WHEN mask & ${step}::int <> 0 AND ts <= latest[1] + ${window} THEN latest || ts END AS longer FROM (
      SELECT visitor_id, day, ts, mask, best, max(chain) OVER (PARTITION BY visitor_id, day ORDER BY ts
        RANGE BETWEEN UNBOUNDED PRECEDING AND '1 microsecond'::interval PRECEDING) AS latest
      FROM (${before}) AS taken) AS carried) AS stepped`;

/** How many visitors got exactly as far as each step. */
export async function reached(question: ChainQuestion): Promise<number[]> {
  const rows = await reports().$queryRaw<{ level: number; visitors: number }[]>`
    WITH ${chainTables(question)}
    SELECT 1 AS level, (SELECT count(*) FROM starts)::int
      - (SELECT count(*) FROM chains WHERE cardinality(chain) > 1)::int AS visitors
    UNION ALL SELECT cardinality(chain), count(*)::int FROM chains WHERE cardinality(chain) > 1 GROUP BY 1`;
  const found = new Map(rows.map(({ level, visitors }) => [level, visitors]));
  return question.conditions.map((_, index) => found.get(index + 1) ?? 0);
}
