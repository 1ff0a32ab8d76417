import { isKind } from "@/lib/analytics/query/commerce-events";
import { dimensionId, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { COUNTED_EVENTS, TYPES_OF_KIND } from "@/lib/analytics/query/event-types";
import { idsOfValues, matching, propertiesMet, reaching } from "@/lib/analytics/query/filters";
import { type Goal, waysOf } from "@/lib/analytics/query/goals";
import { around, type Scope } from "@/lib/analytics/query/scope";
import { join, type Sql, sql } from "@/lib/platform/sql";

/** What a site counts as a conversion, in SQL. */

/**
 * SQL for the events that convert, as a condition on `event AS fact`: those that reach any goal or, on a site without
 * goals, every event that counts except refunds.
 */
export function converting(goals: readonly Goal[]): Sql {
  if (goals.length === 0) return sql`(${ofTypes(COUNTED_EVENTS)} AND NOT ${isKind("refund")})`;
  // One lookup for each kind, however many goals there are.
  const conditional = goals.filter(({ properties }) => properties.length > 0);
  const ways = goals.filter(({ properties }) => properties.length === 0).flatMap(waysOf);
  const kinds = (["page", "event"] as const).filter((kind) => ways.some((way) => way.kind === kind));
  const any = kinds.map((kind) => {
    const some = ways.filter((way) => way.kind === kind);
    const ids = idsOfValues(kind, (value) =>
      join(
        some.map((way) => matching(way, value)),
        " OR ",
      ),
    );
    return sql`(${ofTypes(TYPES_OF_KIND[kind])} AND ${dimensionId(kind)} IN (${ids}))`;
  });
  const types = goals.flatMap(waysOf).flatMap(({ kind }) => TYPES_OF_KIND[kind]);
  return sql`(${ofTypes(types)} AND (${join([...any, ...conditional.map(reaching)], " OR ")}))`;
}

/** SQL for whether the visit of `fact` converts, which it does by any of its events, also after the range. */
export const visitConverts = (scope: Scope, goals: readonly Goal[]): Sql =>
  sql`fact.visit_id IN (SELECT fact.visit_id FROM event AS fact WHERE ${around(scope)} AND ${converting(goals)})`;

/**
 * SQL for a table `(goal, type, id)`: the types of events, and the ids of their page or name, that reach each goal, where they
 * meet `conditionsMet`.
 */
export function goalEvents(goals: readonly Goal[]): Sql {
  const rows = goals.flatMap((goal, index) =>
    waysOf(goal).map(
      (way) => sql`
      SELECT ${index}::INTEGER AS goal, unnest([${join([...TYPES_OF_KIND[way.kind]])}]) AS type, id
      FROM ${wordsOf(way.kind)} AS words WHERE ${matching(way, sql`word`)}`,
    ),
  );
  return sql`(SELECT DISTINCT goal, type, id FROM (${join(rows, " UNION ALL ")}) AS ways)`;
}

/** SQL for whether `fact` meets the conditions on properties of the goal of `met`, a row of `goalEvents`. */
export function conditionsMet(goals: readonly Goal[]): Sql {
  const conditional = goals.flatMap((goal, index) =>
    goal.properties.length > 0 ? [sql`(met.goal <> ${index} OR ${propertiesMet(goal)})`] : [],
  );
  return conditional.length > 0 ? join(conditional, " AND ") : sql`true`;
}

/** Converters divided by visitors, at most 1: imported days may have more visitors of an event than in total. */
export const conversionRate = (converters: number, visitors: number): number | null =>
  visitors > 0 ? Math.min(1, converters / visitors) : null;
