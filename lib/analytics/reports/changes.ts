import { digitsOf } from "@/lib/analytics/money/amounts";
import { ratesFor } from "@/lib/analytics/money/rates";
import { salesTable } from "@/lib/analytics/money/sales";
import { converting } from "@/lib/analytics/query/conversions";
import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import type { Goal } from "@/lib/analytics/query/goals";
import { queryCopy, type Scope } from "@/lib/analytics/query/scope";
import {
  conversionParts,
  isRatio,
  isSummed,
  revenueParts,
  type SummedMetric,
  summedParts,
  together,
} from "@/lib/analytics/reports/change-parts";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";

/** Which values of dimensions changed the total of a metric between two ranges, and by how much. */

export type ChangedMetric = SummedMetric | "conversions" | "revenue";

interface ChangesQuestion {
  metric: ChangedMetric;
  /** What converts; for `conversions` only. */
  goals: readonly Goal[];
  dimensions: readonly DimensionKey[];
  /** How many values of each dimension. */
  limit: number;
}

/** A ratio has both; of a sum, `d` is 0. A total of which imported days do not tell the number has null. */
interface Parts {
  n: number | null;
  d: number;
}

/** The total, or what makes a part of it. Revenue is in units of its currency. */
export interface Compared<Of = Parts> {
  before: Of;
  after: Of;
}

/**
 * A value of a dimension. The effects of all parts of a partition add up to the change of the total.
 *
 * Of a sum, the effect is the change of the value. Of a ratio R = Σ nᵥ / D with D = Σ dᵥ it is Δ(nᵥ / D) − Δ(dᵥ / D) · R̄, where
 * R̄ is the mean of both ratios. Where a value has a ratio in both ranges, that is what Kitagawa calls the components of a
 * difference (Journal of the American Statistical Association 50, 1955), with its weights relative to the total.
 */
export interface ChangedValue extends Compared<{ n: number; d: number }> {
  value: string | null;
  effect: number;
  /** The effect that it would have if it had changed like the total. */
  trend: number;
  /** Whether it is one of the values with the largest effects. */
  listed: boolean;
  /** Of a value whose effect goes beyond its trend in its own direction more than that of others: by how much; otherwise 0. */
  score: number;
}

interface Some {
  values: number;
  effect: number;
}

export interface ChangedDimension {
  /** The listed values, largest effect first, and those that stand out. */
  values: ChangedValue[];
  /** All values of the dimension, those that have appeared, and those that have disappeared. */
  all: number;
  appeared: Some;
  disappeared: Some;
}

export interface Changes {
  total: Compared;
  dimensions: Map<DimensionKey, ChangedDimension>;
}

/** The totals of a metric in two ranges, and the values of each dimension that changed it most. */
export async function changesOf(scope: Scope, before: Scope, question: ChangesQuestion): Promise<Changes> {
  const { metric } = question;
  const made = await partTable(scope, before, question);
  const results = await queryCopy(scope, ...made, TOTALS, rankedSql(isRatio(metric), question.limit));
  const [totals, rows] = results.slice(-2) as unknown as [TotalRow[], ValueRow[]];
  const unit = metric === "revenue" ? 10 ** digitsOf(scope.currency) : 1;
  const dimensions = question.dimensions.map((key): [DimensionKey, ChangedDimension] => [
    key,
    changedDimension(
      rows.filter(({ dimension }) => dimension === key),
      unit,
    ),
  ]);
  return { total: comparedOf(totals[0] ?? { n0: 0, d0: 0, n1: 0, d1: 0 }, unit), dimensions: new Map(dimensions) };
}

interface SumsRow<N> {
  n0: N;
  d0: number;
  n1: N;
  d1: number;
}
type TotalRow = SumsRow<number | null>;

interface ValueRow extends SumsRow<number> {
  dimension: string;
  value: string | null;
  effect: number;
  trend: number;
  place: number;
  score: number;
  standing: number;
  all: number;
  appeared: number;
  appeared_effect: number;
  disappeared: number;
  disappeared_effect: number;
}

const comparedOf = <N extends number | null>({ n0, d0, n1, d1 }: SumsRow<N>, unit: number) => ({
  before: { n: (n0 === null ? null : n0 / unit) as N, d: d0 },
  after: { n: (n1 === null ? null : n1 / unit) as N, d: d1 },
});

function changedDimension(rows: readonly ValueRow[], unit: number): ChangedDimension {
  const [first] = rows;
  const some = (values = 0, effect = 0): Some => ({ values: Number(values), effect: effect / unit });
  return {
    values: rows.map((row) => ({
      ...comparedOf(row, unit),
      value: row.value,
      effect: row.effect / unit,
      trend: row.trend / unit,
      listed: row.place > 0,
      score: row.standing === 1 ? row.score / unit : 0,
    })),
    all: Number(first?.all ?? 0),
    appeared: some(first?.appeared, first?.appeared_effect),
    disappeared: some(first?.disappeared, first?.disappeared_effect),
  };
}

/** The statements that make the temporary table `part` of all rows of both ranges. */
async function partTable(scope: Scope, before: Scope, question: ChangesQuestion): Promise<Sql[]> {
  const { metric, goals, dimensions } = question;
  const keys = [null, ...dimensions];
  const ranges = [
    { of: before, later: false },
    { of: scope, later: true },
  ];
  if (metric === "revenue") {
    const rates = await Promise.all(ranges.map(({ of }) => ratesFor(of)));
    const statements = ranges.flatMap(({ of, later }, index) => [
      salesTable(of),
      intoPart(together(keys.map((key) => revenueParts(of, rates[index] ?? [], key, later)))),
      sql`DROP TABLE sale`,
    ]);
    return [EMPTY_PART, ...statements];
  }
  const partsOf = (key: DimensionKey | null, of: Scope, later: boolean) =>
    isSummed(metric) ? summedParts(of, metric, key, later) : conversionParts(of, converting(goals), key, later);
  const parts = keys.flatMap((key) => ranges.map(({ of, later }) => partsOf(key, of, later)));
  return [EMPTY_PART, intoPart(together(parts))];
}

const EMPTY_PART = sql`
  CREATE TEMP TABLE part (dimension VARCHAR, value VARCHAR, later BOOLEAN, n DOUBLE, d DOUBLE, missing DOUBLE)`;
const intoPart = (rows: Sql): Sql => sql`INSERT INTO part ${rows}`;

const [NOW, THEN] = [sql`FILTER (WHERE later)`, sql`FILTER (WHERE NOT later)`];
const COMPARED = sql`
  coalesce(sum(n) ${THEN}, 0) AS n0, coalesce(sum(d) ${THEN}, 0) AS d0, coalesce(sum(n) ${NOW}, 0) AS n1, coalesce(sum(d) ${NOW}, 0) AS d1,
  coalesce(sum(missing) ${THEN}, 0) AS m0, coalesce(sum(missing) ${NOW}, 0) AS m1`;

/** Whether the numbers of rows before and after are unknown, as `knownCounts` has it. */
const [UNKNOWN_BEFORE, UNKNOWN_AFTER] = [sql`(n0 = 0 AND m0 > 0)`, sql`(n1 = 0 AND m1 > 0)`];
const TOTALS = sql`
  SELECT CASE WHEN NOT ${UNKNOWN_BEFORE} THEN n0 END AS n0, d0, CASE WHEN NOT ${UNKNOWN_AFTER} THEN n1 END AS n1, d1
  FROM (SELECT ${COMPARED} FROM part WHERE dimension IS NULL) AS summed`;

interface Formulas {
  effect: Sql;
  trend: Sql;
  /** How large a value is, which has nothing to do with what the metric says of it. */
  size: [before: Sql, after: Sql];
}

const SUM: Formulas = {
  effect: sql`(known.n1 - known.n0)`,
  // Where nothing was before, everything is new.
  trend: sql`CASE WHEN total.n0 > 0 THEN known.n0 / total.n0 * (total.n1 - total.n0)
    WHEN total.n0 = 0 AND known.n0 = 0 THEN known.n1 ELSE 0 END`,
  size: [raw("n0"), raw("n1")],
};

const RATIO: Formulas = {
  effect: sql`(known.n1 / total.d1 - known.n0 / total.d0
    - (known.d1 / total.d1 - known.d0 / total.d0) * (total.n1 / total.d1 + total.n0 / total.d0) / 2)`,
  trend: sql`(known.d1 / total.d1 + known.d0 / total.d0) / 2 * (total.n1 / total.d1 - total.n0 / total.d0)`,
  size: [raw("d0"), raw("d1")],
};

/** Effects that differ by less are equal: ratios are added up in any order. */
const EXACT_PLACES = 9;
const near = (number: Sql): Sql => sql`round(${number}, ${EXACT_PLACES}::INTEGER)`;

/** Unknown values explain nothing, except that a visit came from nowhere. */
const NAMED = sql`(value IS NOT NULL OR dimension = 'source')`;

/**
 * SQL for the values of each dimension that changed the total most, and the one that stands out most in each direction. A value
 * of which an import does not know the number is in no row.
 */
function rankedSql(ratio: boolean, limit: number): Sql {
  const { effect, trend, size } = ratio ? RATIO : SUM;
  const [was, is] = size;
  const beyond = sql`${near(sql`effect`)} - ${near(sql`trend`)}`;
  const order = join([sql`greatest(abs(${was}), abs(${is})) DESC`, sql`value NULLS LAST`]);
  const known = ratio ? sql`total.d0 > 0 AND total.d1 > 0` : sql`total.n0 IS NOT NULL AND total.n1 IS NOT NULL`;
  const some = (condition: Sql, name: string) => sql`
    count(*) FILTER (WHERE ${condition}) OVER of_dimension AS ${raw(name)},
    coalesce(sum(effect) FILTER (WHERE ${condition}) OVER of_dimension, 0) AS ${raw(`${name}_effect`)}`;
  return sql`
    WITH total AS (${TOTALS}),
    sums AS (
      SELECT dimension, value, ${COMPARED}
      FROM part WHERE dimension IS NOT NULL GROUP BY dimension, value),
    known AS (
      SELECT * FROM sums
      WHERE (n0 <> 0 OR n1 <> 0 OR d0 <> 0 OR d1 <> 0) AND NOT ${UNKNOWN_BEFORE} AND NOT ${UNKNOWN_AFTER}),
    changed AS (
      SELECT known.*, ${effect} AS effect, ${trend} AS trend FROM known, total WHERE ${known}),
    scored AS (
      SELECT *, CASE WHEN ${NAMED} AND sign(${near(sql`effect`)}) = sign(${beyond}) THEN least(abs(${near(sql`effect`)}), abs(${beyond})) ELSE 0 END AS score
      FROM changed),
    ranked AS (
      SELECT *, count(*) OVER of_dimension AS "all", ${some(sql`${was} = 0 AND ${is} <> 0`, "appeared")}, ${some(sql`${is} = 0 AND ${was} <> 0`, "disappeared")},
        row_number() OVER (PARTITION BY dimension ORDER BY abs(${near(sql`effect`)}) DESC, ${order}) AS place,
        row_number() OVER (PARTITION BY dimension, sign(${near(sql`effect`)}) ORDER BY score DESC, ${order}) AS standing
      FROM scored WINDOW of_dimension AS (PARTITION BY dimension))
    SELECT * EXCLUDE (m0, m1, place, standing), CASE WHEN place <= ${limit} THEN place ELSE 0 END::INTEGER AS place,
      CASE WHEN score > 0 THEN standing ELSE 0 END::INTEGER AS standing
    FROM ranked WHERE place <= ${limit} OR (standing = 1 AND score > 0)
    ORDER BY dimension, ranked.place`;
}
