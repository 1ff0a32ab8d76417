import { carried } from "@/lib/analytics/carried";
import { chainTables, reachOf } from "@/lib/analytics/chains";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { ofTypes, reaching } from "@/lib/analytics/filters";
import type { FunnelStep } from "@/lib/analytics/funnel-steps";
import { conditionsOf, type Funnel } from "@/lib/analytics/funnels";
import { lasting, partsOf } from "@/lib/analytics/parts";
import { EARLIEST_MS, fromThenOn, moved, type Scope, visitsIn } from "@/lib/analytics/question";
import { Prisma, reports } from "@/lib/db";

/** The ways of visits as SQL: what was seen one after another, repeats at once told once. */

export const MOST_STEPS = 10;

export interface Way {
  scope: Scope;
  /** Only from where the visit first reaches it. */
  start: FunnelStep | null;
  /** Only visits in which a chain of it begins, from there on. */
  funnel: Funnel | null;
}

/** Whether events are steps beside pages: where the question names one. */
export const withEvents = ({ start, funnel }: Omit<Way, "scope">): boolean =>
  start?.kind === "event" || (funnel?.steps.some(({ kind }) => kind === "event") ?? false);

/**
 * SQL for the table `ways` and what it needs, to stand after WITH. A row tells so many `visits` of one way: its `steps`
 * (pages by their id, events by its negative, and one more than MOST_STEPS where there are more), and `who` went it (0; by
 * a funnel 1 for those who finished it, 2 for the others). The same way may be told by several rows.
 *
 * @param stretches the parts of the scope that are asked for; of funnels always all of it.
 */
export async function waysTable(way: Way, stretches: readonly Scope[] = [way.scope]): Promise<Prisma.Sql> {
  const { scope, start, funnel } = way;
  const began = start && (await reaching(scope.siteId, start, "start"));
  const shared = await sharedPages(scope.siteId);
  const walk = { types: [...VIEWS, ...(withEvents(way) ? NAMED_EVENTS : [])], began, shared };
  if (funnel) {
    const chosen = carried(Prisma.sql`chosen`, [Prisma.sql`visit_id`, Prisma.sql`since`, Prisma.sql`who`]);
    const those = Prisma.sql`JOIN ${chosen}
      ON chosen.visit_id = fact.visit_id AND fact.ts >= chosen.since`;
    const ways = walked({ ...walk, scope, those, who: Prisma.sql`chosen.who` });
    return Prisma.sql`${await beginnings(scope, funnel)}, ways AS (${ways})`;
  }
  const { event, goals } = scope.filters;
  const told = !began && event.length + goals.length === 0 ? toldByVisits(scope) : null;
  const parts = stretches.flatMap(partsOf).map((part) => {
    const asked = told ? Prisma.sql`${visitsIn(part)} AND NOT (${told})` : visitsIn(part);
    const those = Prisma.sql`JOIN (SELECT fact.visit_id FROM facts.visit AS fact WHERE ${asked}) AS chosen
      ON chosen.visit_id = fact.visit_id`;
    // A visit is told by one part as a whole, and clocks of several servers differ a little.
    const begin = part.range.start > scope.range.start ? moved(part.range.start, -EARLIEST_MS) : part.range.start;
    return walked({ ...walk, scope: lasting(part, { start: begin }), those, who: Prisma.sql`0` });
  });
  if (told) parts.push(...stretches.map((stretch) => ofOnePage(stretch, told, shared)));
  return Prisma.sql`ways AS (${Prisma.join(parts, " UNION ALL ")})`;
}

interface Walk {
  scope: Scope;
  types: readonly number[];
  /** What ways begin with. */
  began: Prisma.Sql | null;
  shared: Prisma.Sql | null;
  /** A join of the visits as `chosen`. */
  those: Prisma.Sql;
  who: Prisma.Sql;
}

/**
 * SQL for the ways of visits, of what they did from the scope's start on. Each visit is made into an array, and that cut and
 * cleared of repeats. It can be a parallel worker's task: no row has a subquery of its own, and the OFFSET, which keeps
 * Postgres from cutting anew for each step, is of a type that it knows to be none without folding constants.
 */
function walked({ scope, types, began, shared, those, who }: Walk): Prisma.Sql {
  const step = Prisma.sql`CASE WHEN ${ofTypes(VIEWS)} THEN ${pageOf(Prisma.sql`fact.page`, shared)} ELSE -fact.name END`;
  const visits = Prisma.sql`
    SELECT min(who) AS who, array_agg(step ORDER BY ts, page, name NULLS FIRST) AS steps,
      array_agg(began ORDER BY ts, page, name NULLS FIRST) AS began FROM (
      SELECT fact.visit_id, fact.ts, fact.page, fact.name, ${who} AS who, ${step} AS step, ${began ?? Prisma.sql`true`} AS began
      FROM facts.event AS fact ${those} ${sharing(Prisma.sql`fact.page`, shared)}
      WHERE ${fromThenOn(scope)} AND ${ofTypes(types)}) AS seen
    WHERE step <> 0 GROUP BY visit_id`;
  const begun = began
    ? Prisma.sql`SELECT who, steps[array_position(began, true):] AS steps FROM (${visits}) AS whole
                 WHERE true = ANY(began) OFFSET '0'`
    : visits;
  return Prisma.sql`
    (SELECT who, CASE WHEN ${mayRepeat} THEN facts.way(steps, ${MOST_STEPS + 1}::int) ELSE steps END AS steps, 1 AS visits
     FROM (${begun}) AS walked)`;
}

/** Whether two of the first `steps` follow each other that are the same, or there are more steps than are told. */
const mayRepeat = Array.from({ length: MOST_STEPS - 1 }, (_, index) => index + 1).reduceRight(
  (further, place) =>
    Prisma.sql`cardinality(steps) > ${place}::int AND (steps[${place}::int] = steps[${place + 1}::int] OR ${further})`,
  Prisma.sql`cardinality(steps) > ${MOST_STEPS}::int`,
);

/** The visits that tell their way themselves: of one page, that was seen in the scope for certain. */
const toldByVisits = ({ range }: Scope): Prisma.Sql =>
  Prisma.sql`fact.pageviews = 1 AND fact.started >= ${moved(range.start, EARLIEST_MS)}`;

/** SQL for the ways of these. */
const ofOnePage = (scope: Scope, told: Prisma.Sql, shared: Prisma.Sql | null): Prisma.Sql => Prisma.sql`
  (SELECT 0 AS who, ARRAY[step] AS steps, visits FROM (
    SELECT ${pageOf(Prisma.sql`fact.entry_page`, shared)} AS step, count(*)::int AS visits
    FROM facts.visit AS fact ${sharing(Prisma.sql`fact.entry_page`, shared)}
    WHERE ${visitsIn(scope)} AND ${told} AND fact.entry_page <> 0 GROUP BY 1) AS one)`;

/**
 * Hosts share their paths: a path is known by the first page that has it. SQL for a table of the other pages, with that
 * first one; null where there is one host.
 */
async function sharedPages(siteId: number): Promise<Prisma.Sql | null> {
  const [found] = await reports().$queryRaw<{ several: boolean | null }[]>`
    SELECT min(hostname) <> max(hostname) AS several FROM facts.page WHERE site_id = ${siteId}`;
  if (!found?.several) return null;
  return Prisma.sql`
    (SELECT id, first FROM (SELECT id, min(id) OVER (PARTITION BY path) AS first FROM facts.page WHERE site_id = ${siteId}) AS page
     WHERE id <> first)`;
}

const sharing = (page: Prisma.Sql, shared: Prisma.Sql | null): Prisma.Sql =>
  shared ? Prisma.sql`LEFT JOIN ${shared} AS shared ON shared.id = ${page}` : Prisma.empty;
const pageOf = (page: Prisma.Sql, shared: Prisma.Sql | null): Prisma.Sql =>
  shared ? Prisma.sql`coalesce(shared.first, ${page})` : page;

/** SQL for the table `chosen` (visit_id, since, who): the visits in which chains begin, 1 for those that finish, else 2. */
async function beginnings(scope: Scope, funnel: Funnel): Promise<Prisma.Sql> {
  const conditions = await conditionsOf(scope.siteId, funnel);
  const reach = reachOf(scope, funnel.windowMinutes);
  const asked = { scope, reach, conditions, windowMinutes: funnel.windowMinutes };
  return Prisma.sql`${chainTables(asked)},
    went AS MATERIALIZED (
      SELECT visitor_id, day, coalesce(chain[1], starts.first) AS since,
             CASE WHEN cardinality(chain) = ${funnel.steps.length}::int THEN 1 ELSE 2 END AS who
      FROM starts LEFT JOIN chains USING (visitor_id, day)),
    chosen AS MATERIALIZED (
      SELECT visit_id, min(since) AS since, min(who) AS who FROM (
        SELECT min(visit_id) FILTER (WHERE ts = since AND mask & 1 <> 0) AS visit_id, since, who
        FROM went JOIN hits USING (visitor_id) GROUP BY visitor_id, day, since, who) AS began GROUP BY 1)`;
}
