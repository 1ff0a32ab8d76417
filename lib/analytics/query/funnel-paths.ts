import { dayNumbers } from "@/lib/analytics/calendar/buckets";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { eventsOfVisitsIn, queryCopy, type Scope, withRange } from "@/lib/analytics/query/scope";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";
import { localDay, startOfDay } from "@/lib/platform/time";

/**
 * Paths through a funnel. A visitor has one for each local day on which the first step was taken: of all that begin on
 * that day the longest, and among those of its length the first to be complete, each step taken by the last event that
 * still leads to it. Each step is strictly later than the one before, and all lie within the window (inclusive) from
 * the first. A step that paths of several days reach by the same event counts once, for the latest of these days: the
 * paths of the other days end before it. A path that continues from a shared event shares all later steps too, so no
 * path has a gap.
 */

export interface FunnelQuery {
  /** First steps lie in this scope; later ones may follow its end, see `extended`. */
  scope: Scope;
  /** The events that reach each step, as conditions on `event AS fact`, and their types. */
  conditions: readonly Sql[];
  types: readonly number[];
  windowMinutes: number;
}

/** Extends a scope by the days on which its paths may continue. */
export function extended(scope: Scope, windowMinutes: number): Scope {
  const { range } = scope;
  // A comparison with a day that is not over ends at the same time of day.
  if (range.back && range.end < startOfDay(range.to.add({ days: 1 }), range.timezone)) return scope;
  const latest = new Date(range.end.getTime() + windowMinutes * 60_000 - 1);
  return withRange(scope, { end: startOfDay(localDay(latest, range.timezone).add({ days: 1 }), range.timezone) });
}

/** The bit of a step, from 0, in the column `mask`. */
const bit = (step: number): Sql => raw(String(2 ** step));

/** SQL for whether a row of `step_events` reaches a step, from 0. */
export const reachesStep = (step: number): Sql => sql`(mask & ${bit(step)}) <> 0`;

/**
 * SQL for the rows of `step_events` (visitor_id, day, ts, visit_id, mask, and `more`), the events that reach a step:
 * see `reachesStep`.
 *
 * @param more further columns of `fact`, each after a comma.
 */
export function stepEvents({ scope, conditions, types, windowMinutes }: FunnelQuery, more = empty): Sql {
  const mask = conditions.map((condition, step) => sql`CASE WHEN ${condition} THEN ${bit(step)} ELSE 0 END`);
  return sql`
    SELECT * FROM (
      SELECT fact.visitor_id, fact.day, fact.ts, fact.visit_id, ${join(mask, " | ")} AS mask ${more} FROM event AS fact
      WHERE ${ofTypes(types)} AND ${eventsOfVisitsIn(extended(scope, windowMinutes))} AND fact.visitor_id IS NOT NULL)
    WHERE mask <> 0`;
}

/**
 * SQL for common table expressions, to follow WITH where the table `step_events` exists:
 * - `starts` (visitor_id, day, first): when a visitor first took the first step on a day of the scope.
 * - `funnel_paths` (visitor_id, day, times): the times of the steps, as a list, of paths with two or more steps. A row
 *   of `starts` without a row here is a path of one step, taken at `first`.
 */
export function funnelPathTables({ scope, conditions, windowMinutes }: FunnelQuery): Sql {
  const lastDay = raw(String(dayNumbers(scope.days, scope.range.timezone).at(-1)));
  const window = sql`to_minutes(${windowMinutes}::BIGINT)`;
  const later = conditions.slice(1).map((_, index) => levelTable(index + 1, window));
  const levels = later.map(
    (_, index) => sql`SELECT ${raw(String(index + 2))} AS level, * FROM ${levelName(index + 1)}`,
  );
  return sql`
    ${levelName(0)} AS (
      SELECT visitor_id, day, ts, [ts] AS times FROM step_events
      WHERE ${reachesStep(0)} AND (ts < ${scope.range.end} OR day > ${lastDay})),
    ${join([...later], ", ")},
    starts AS MATERIALIZED (
      SELECT visitor_id, day, min(ts) AS first FROM ${levelName(0)} WHERE day <= ${lastDay} GROUP BY ALL),
    funnel_paths AS MATERIALIZED (
      SELECT visitor_id, day, arg_max(times, level) AS times FROM (
        SELECT visitor_id, day, level, arg_min(times, ts) AS times FROM (${join(levels, " UNION ALL ")})
        WHERE day <= ${lastDay} GROUP BY ALL)
      GROUP BY ALL)`;
}

const levelName = (step: number): Sql => raw(`level_${step}`);

/**
 * For each event that a path reaches a step by, the path whose steps are all latest. It continues the one that was
 * complete last before this very moment: one that was complete earlier has no later step, and no more of its window
 * left. Its day is the latest of those whose paths reach the step by this event.
 */
const levelTable = (step: number, window: Sql): Sql => sql`
  ${levelName(step)} AS (
    SELECT next.visitor_id, before.day, next.ts, list_append(before.times, next.ts) AS times
    FROM (SELECT * FROM step_events WHERE ${reachesStep(step)}) AS next ASOF JOIN ${levelName(step - 1)} AS before
      ON next.visitor_id = before.visitor_id AND next.ts > before.ts
    WHERE next.ts <= before.times[1] + ${window})`;

/** Counts the visitors who got exactly as far as each step. */
export async function reached(funnel: FunnelQuery): Promise<number[]> {
  const [rows] = await queryCopy<[{ level: number; visitors: number }[]]>(
    funnel.scope,
    sql`WITH step_events AS MATERIALIZED (${stepEvents(funnel)}), ${funnelPathTables(funnel)}
      SELECT 1 AS level, (SELECT count(*) FROM starts) - (SELECT count(*) FROM funnel_paths) AS visitors
      UNION ALL SELECT len(times), count(*) FROM funnel_paths GROUP BY 1`,
  );
  const found = new Map(rows.map(({ level, visitors }) => [level, visitors]));
  return funnel.conditions.map((_, index) => found.get(index + 1) ?? 0);
}
