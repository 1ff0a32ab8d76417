import { inDays, type Scope, shifted } from "@/lib/analytics/query/scope";
import { ATTRIBUTION_DAYS, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { DAY_MS } from "@/lib/platform/durations";
import { empty, type Sql, sql } from "@/lib/platform/sql";

/** The visit that conversions and sales are given to: `ATTRIBUTIONS` has the definition. */

const LOOKBACK_MS = ATTRIBUTION_DAYS * DAY_MS;

/**
 * SQL for a table of events whose source and campaign are those of the visit that they are given to. By last touch that is
 * the table itself, so that nothing is read twice.
 *
 * @param events SQL for some of the events, which may be more than those of the scope, called `fact` in its conditions.
 */
export function credited(scope: Scope, events: { table: Sql; where: Sql }): Sql {
  if (scope.attribution === "last") return events.table;
  const { range, traffic } = scope;
  const days = inDays({ ...range, start: shifted(range.start, -LOOKBACK_MS) });
  const classes = traffic === "all" ? empty : sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}`;
  const since = sql`led.ts - INTERVAL (${ATTRIBUTION_DAYS}) DAY`;
  return sql`(
    WITH led AS (SELECT fact.* FROM ${events.table} AS fact WHERE ${inDays(range)} AND ${events.where}),
    touch AS (
      SELECT fact.visitor_id, fact.started, min_by(fact.referrer, fact.visit_id) AS referrer,
        min_by(fact.campaign, fact.visit_id) AS campaign
      FROM visit AS fact
      WHERE ${days} ${classes} AND fact.visitor_id IN (SELECT visitor_id FROM led WHERE visitor_id IS NOT NULL)
      GROUP BY fact.visitor_id, fact.started)
    SELECT led.* REPLACE (
      CASE WHEN touch.started <= led.ts THEN touch.referrer ELSE led.referrer END AS referrer,
      CASE WHEN touch.started <= led.ts THEN touch.campaign ELSE led.campaign END AS campaign)
    FROM led ASOF LEFT JOIN touch ON touch.visitor_id = led.visitor_id AND ${since} <= touch.started)`;
}
