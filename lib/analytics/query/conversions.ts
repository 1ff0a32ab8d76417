import { isKind } from "@/lib/analytics/query/commerce-events";
import { idOf, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { COUNTED_EVENTS, TYPES_OF_KIND } from "@/lib/analytics/query/event-types";
import { idsOfValues, matching } from "@/lib/analytics/query/filters";
import type { Goal } from "@/lib/analytics/query/goals";
import { join, type Sql, sql } from "@/lib/platform/sql";

/** What a site counts as a conversion, in SQL. */

/**
 * SQL for the events that convert, as a condition on `event AS fact`: those that reach any goal or, on a site without
 * goals, every event that counts except refunds.
 */
export function converting(goals: readonly Goal[]): Sql {
  if (goals.length === 0) return sql`(${ofTypes(COUNTED_EVENTS)} AND NOT ${isKind("refund")})`;
  // One lookup for each kind, however many goals there are.
  const kinds = (["page", "event"] as const).filter((kind) => goals.some((goal) => goal.kind === kind));
  const any = kinds.map((kind) => {
    const some = goals.filter((goal) => goal.kind === kind);
    const ids = idsOfValues(kind, (value) =>
      join(
        some.map((goal) => matching(goal, value)),
        " OR ",
      ),
    );
    return sql`(${ofTypes(TYPES_OF_KIND[kind])} AND ${idOf(kind)} IN (${ids}))`;
  });
  return sql`(${ofTypes(kinds.flatMap((kind) => TYPES_OF_KIND[kind]))} AND (${join(any, " OR ")}))`;
}

/** SQL for a table `(goal, type, id)`: the types of events, and the ids of their page or name, that reach each goal. */
export function goalEvents(goals: readonly Goal[]): Sql {
  const rows = goals.map(
    (goal, index) => sql`
      SELECT ${index}::INTEGER AS goal, unnest([${join([...TYPES_OF_KIND[goal.kind]])}]) AS type, id
      FROM ${wordsOf(goal.kind)} AS words WHERE ${matching(goal, sql`word`)}`,
  );
  return sql`(${join(rows, " UNION ALL ")})`;
}

/** Converters divided by visitors, at most 1: imported days may have more visitors of an event than in total. */
export const conversionRate = (converters: number, visitors: number): number | null =>
  visitors > 0 ? Math.min(1, converters / visitors) : null;
