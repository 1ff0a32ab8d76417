import { digitsOf } from "@/lib/analytics/money/amounts";
import type { Rates } from "@/lib/analytics/money/rates";
import { revenueBy } from "@/lib/analytics/money/sales";
import { dimensionId, numbersOf, ofTypes, valuesOf } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, ONLY_ON_VISITS } from "@/lib/analytics/query/dimensions";
import { NAMED_EVENTS } from "@/lib/analytics/query/event-types";
import type { Sum } from "@/lib/analytics/query/metrics";
import { eventsIn, type Scope, wholeVisits } from "@/lib/analytics/query/scope";
import { partialSums } from "@/lib/analytics/query/scope-sums";
import type { Part } from "@/lib/analytics/query/sums-sql";
import type { Metric } from "@/lib/contract/vocabulary";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

/**
 * What the total of a metric is made of, in SQL: rows `(dimension, value, later, n, d, missing)`. The metric of some rows is
 * the sum of `n`, for a ratio divided by the sum of `d`. Rows without a dimension are those of the total, rows that are `later`
 * those of the range and the others those of its comparison. `missing` counts imported rows that lack the number.
 */

/** Metrics that are sums, or ratios of sums, of the visits and events of a scope. */
const SUMMED = {
  visitors: { parts: ["visitors"], top: "visitors" },
  visits: { parts: ["began"], top: "visits", missing: "visitsMissing" },
  pageviews: { parts: ["counts"], top: "pageviews", missing: "viewsMissing" },
  events: { parts: ["counts"], top: "events", missing: "eventsMissing" },
  views_per_visit: { parts: ["began", "counts"], top: "visitViews", bottom: "viewVisits" },
  bounce_rate: { parts: ["began"], top: "bounces", bottom: "bounceVisits" },
  visit_duration: { parts: ["began"], top: "durationMs", bottom: "durationVisits", per: 1000 },
} as const satisfies Partial<Record<Metric, SummedAs>>;
export type SummedMetric = keyof typeof SUMMED;

interface SummedAs {
  parts: readonly Part[];
  top: Sum;
  bottom?: Sum;
  missing?: Sum;
  /** What `top` is divided by to be in the unit of the metric. */
  per?: number;
}

export const isSummed = (metric: string): metric is SummedMetric => Object.hasOwn(SUMMED, metric);

/** Whether a metric is a ratio, whose rows have a denominator. */
export const isRatio = (metric: string): boolean => isSummed(metric) && "bottom" in SUMMED[metric];

type Key = DimensionKey | null;
const column = (name: Sum) => raw(`"${name}"`);
const named = (key: Key) => sql`${key}::VARCHAR AS dimension`;

/** The rows of a metric of visits and events by one dimension, or by none. */
export function summedParts(scope: Scope, metric: SummedMetric, key: Key, later: boolean): Sql {
  const { parts, top, bottom, missing, per = 1 }: SummedAs = SUMMED[metric];
  return sql`
    SELECT ${named(key)}, ${key === null ? sql`NULL` : raw("k0")} AS value, ${later} AS later, ${column(top)} / ${per}::DOUBLE AS n,
      ${bottom ? column(bottom) : 0} AS d, ${missing ? column(missing) : 0} AS missing
    FROM (${partialSums(scope, key === null ? [] : [key], parts)}) AS part`;
}

/** The rows of converting events by one dimension, or by none. */
export function conversionParts(scope: Scope, converts: Sql, key: Key, later: boolean): Sql {
  const counted = sql`
    SELECT ${key === null ? sql`NULL` : raw("led.number")} AS number, count(*) AS n
    FROM event AS fact ${ledBy(scope, key)} WHERE ${eventsIn(scope)} AND ${converts} GROUP BY ALL`;
  return partsWithWords(counted, key, later);
}

/**
 * The rows of revenue by one dimension, or by none, after `salesTable`: in the smallest unit of the
 * reporting currency, rounded once for each value.
 */
export function revenueParts(scope: Scope, rates: Rates, key: Key, later: boolean): Sql {
  const digits = digitsOf(scope.currency);
  const number = key === null ? sql`NULL::BIGINT` : raw("led.number");
  const earned = sql`
    SELECT key AS number, round(round(round(revenue, 12), ${digits}::INTEGER)::DOUBLE * ${10 ** digits}) AS n
    FROM ${revenueBy(scope, rates, number, ledBy(scope, key))} AS earned WHERE revenue IS NOT NULL`;
  return partsWithWords(earned, key, later);
}

/** SQL that joins `led`, with the number of the value of a dimension, to a fact called `fact`. */
function ledBy(scope: Scope, key: Key): Sql {
  if (key === null) return empty;
  const numbers = numbersOf(key);
  if (ONLY_ON_VISITS.has(key))
    return sql`
      JOIN ${wholeVisits(scope)} AS whole ON whole.visit_id = fact.visit_id AND whole.pageviews > 0
      LEFT JOIN ${numbers} AS led ON led.id = whole.${raw(key)}`;
  // Page views have no name, whatever their column holds.
  const id =
    key === "event" ? sql`CASE WHEN ${ofTypes(NAMED_EVENTS)} THEN ${dimensionId(key)} ELSE 0 END` : dimensionId(key);
  return sql`LEFT JOIN ${numbers} AS led ON led.id = ${id}`;
}

const partsWithWords = (counted: Sql, key: Key, later: boolean): Sql => sql`
  SELECT ${named(key)}, ${key === null ? sql`NULL` : raw("words.value")} AS value, ${later} AS later, n::DOUBLE AS n, 0 AS d, 0 AS missing
  FROM (${counted}) AS counted
  ${key === null ? empty : sql`LEFT JOIN ${valuesOf(key)} AS words ON words.id = counted.number`}`;

/** SQL of a table of rows of several parts. */
export const together = (parts: readonly Sql[]): Sql => join([...parts], " UNION ALL ");
