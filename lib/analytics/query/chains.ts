import { dayNumbers } from "@/lib/analytics/buckets";
import { empty, join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { eventsOfVisitsIn, lasting, query, type Scope } from "@/lib/analytics/query/scope";
import { localDay, startOfDay } from "@/lib/time";

/**
 * Chains of steps. A visitor has one chain for each local day on which the first step was taken: of all that begin on
 * that day the longest one, and among those of its length the first to be complete, each step taken by the last event
 * that still leads to it. Each step is strictly later than the one before, and all lie within the window (inclusive)
 * from the first. A step that chains of several days reach by the same event counts once, for the latest of these days:
 * the chains of the other days end before it. A chain that continues from a shared event shares all later steps too, so
 * no chain has a gap.
 */

export interface ChainQuestion {
  /** First steps lie in this scope; later ones may follow its end, see `extended`. */
  scope: Scope;
  /** The events that each step is reached by, as conditions on `event AS fact`, and the types that these are of. */
  conditions: readonly Sql[];
  types: readonly number[];
  windowMinutes: number;
}

/** Extends a scope by the days on which its chains may continue. */
export function extended(scope: Scope, windowMinutes: number): Scope {
  const { range } = scope;
  // A comparison with a day that is not over ends at the same time of day.
  if (range.back && range.end < startOfDay(range.to.add({ days: 1 }), range.timezone)) return scope;
  const latest = new Date(range.end.getTime() + windowMinutes * 60_000 - 1);
  return lasting(scope, { end: startOfDay(localDay(latest, range.timezone).add({ days: 1 }), range.timezone) });
}

/** The bit of a step, from 0, in the column `mask`. */
const bit = (step: number): Sql => raw(String(2 ** step));

/** SQL for whether a row of `step_events` reaches a step, from 0. */
export const reachesStep = (step: number): Sql => sql`(mask & ${bit(step)}) <> 0`;

/**
 * SQL for the rows of `step_events` (visitor_id, day, ts, visit_id, mask, and `more`), the events that reach a step: see
 * `reachesStep`.
 *
 * @param more further columns of `fact`, each after a comma.
 */
export function stepEvents({ scope, conditions, types, windowMinutes }: ChainQuestion, more = empty): Sql {
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
 * - `chains` (visitor_id, day, chain): the times of the steps, as a list, of chains with two or more steps. A row of
 *   `starts` without a chain here is a chain of one step, taken at `first`.
 */
export function chainTables({ scope, conditions, windowMinutes }: ChainQuestion): Sql {
  const lastDay = raw(String(dayNumbers(scope.days, scope.range.timezone).at(-1)));
  const window = sql`to_minutes(${windowMinutes}::BIGINT)`;
  const later = conditions.slice(1).map((_, index) => levelTable(index + 1, window));
  const levels = later.map(
    (_, index) => sql`SELECT ${raw(String(index + 2))} AS level, * FROM ${levelName(index + 1)}`,
  );
  return sql`
    ${levelName(0)} AS (
      SELECT visitor_id, day, ts, [ts] AS chain FROM step_events
      WHERE ${reachesStep(0)} AND (ts < ${scope.range.end} OR day > ${lastDay})),
    ${join([...later], ", ")},
    starts AS MATERIALIZED (
      SELECT visitor_id, day, min(ts) AS first FROM ${levelName(0)} WHERE day <= ${lastDay} GROUP BY ALL),
    chains AS MATERIALIZED (
      SELECT visitor_id, day, arg_max(chain, level) AS chain FROM (
        SELECT visitor_id, day, level, arg_min(chain, ts) AS chain FROM (${join(levels, " UNION ALL ")})
        WHERE day <= ${lastDay} GROUP BY ALL)
      GROUP BY ALL)`;
}

const levelName = (step: number): Sql => raw(`level_${step}`);

/**
 * For each event that a chain reaches a step by, the one whose steps are all latest. It continues the chain that was
 * complete last before this very moment: one that was complete earlier has no later step, and no more of its window
 * left. Its day is the latest of those whose chains reach the step by this event.
 */
const levelTable = (step: number, window: Sql): Sql => sql`
  ${levelName(step)} AS (
    SELECT next.visitor_id, before.day, next.ts, list_append(before.chain, next.ts) AS chain
    FROM (SELECT * FROM step_events WHERE ${reachesStep(step)}) AS next ASOF JOIN ${levelName(step - 1)} AS before
      ON next.visitor_id = before.visitor_id AND next.ts > before.ts
    WHERE next.ts <= before.chain[1] + ${window})`;

/** Counts the visitors who got exactly as far as each step. */
export async function reached(question: ChainQuestion): Promise<number[]> {
  const [rows] = await query<[{ level: number; visitors: number }[]]>(
    question.scope,
    sql`WITH step_events AS MATERIALIZED (${stepEvents(question)}), ${chainTables(question)}
      SELECT 1 AS level, (SELECT count(*) FROM starts) - (SELECT count(*) FROM chains) AS visitors
      UNION ALL SELECT len(chain), count(*) FROM chains GROUP BY 1`,
  );
  const found = new Map(rows.map(({ level, visitors }) => [level, visitors]));
  return question.conditions.map((_, index) => found.get(index + 1) ?? 0);
}
