import fc from "fast-check";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { converts } from "@/lib/testing/oracle/acquisition";
import { isOfEvents, isOfWholeVisits, valueOfFact } from "@/lib/testing/oracle/dimensions";
import { type Fact, isBounce, isView, millisecond, viewsOf } from "@/lib/testing/oracle/facts";
import { goalOf, reaches } from "@/lib/testing/oracle/filters";
import type { Sums } from "@/lib/testing/oracle/imported";
import { type Counted, groupsBy, numbersOf, sum } from "@/lib/testing/oracle/metrics";
import { earned, type Sale, salesOf } from "@/lib/testing/oracle/money";
import { filtersOf, type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { dimensionKeys } from "@/lib/testing/oracle/query-generator";

/** Expected answer of changes: the parts of both ranges, value by value, and what is left. */

const COUNTS = ["visits", "visitors", "pageviews", "events"] as const;
const RATIOS = ["bounce_rate", "visit_duration", "views_per_visit"] as const;
type Ratio = (typeof RATIOS)[number];
type Metric = (typeof COUNTS)[number] | Ratio | "conversions" | "revenue";

export interface ChangesQuery {
  metric: Metric;
  goal: string | undefined;
  dimensions: DimensionKey[];
  limit: number;
}

const isRatio = (metric: Metric): metric is Ratio => RATIOS.some((one) => one === metric);
const fits = (metric: Metric, key: DimensionKey) =>
  !(isRatio(metric) && isOfEvents(key)) && !(metric === "pageviews" && key === "event");

export const changesQuery: fc.Arbitrary<ChangesQuery> = fc
  .record({
    metric: fc.constantFrom<Metric>(...COUNTS, ...RATIOS, "conversions", "revenue"),
    goal: fc.constantFrom("Signup", "Play", "Nothing", undefined),
    dimensions: fc.uniqueArray(fc.constantFrom(...dimensionKeys), { minLength: 1, maxLength: 5 }),
    limit: fc.constantFrom(1, 2, 5, 100),
  })
  .map(({ metric, goal, dimensions, limit }) => ({
    metric,
    goal: metric === "conversions" ? goal : undefined,
    dimensions: dimensions.filter((key) => fits(metric, key)),
    limit,
  }))
  .filter(({ dimensions }) => dimensions.length > 0);

/** A ratio is n / d, any other metric n. Null is unknown. Money is in cents. */
interface Parts {
  n: number | null;
  d: number;
}
const NONE: Parts = { n: 0, d: 0 };

interface Both {
  before: Parts;
  after: Parts;
}

function partsOf(metric: Exclude<Metric, "conversions" | "revenue">, counted: Counted, zone: string): Parts {
  const { visits, facts, imported } = counted;
  if (!isRatio(metric)) return { n: numbersOf(counted, zone)[metric], d: 0 };
  const field = { bounce_rate: "bounces", visit_duration: "durationMs", views_per_visit: "pageviews" } as const;
  const days = imported.filter((one) => one[field[metric]] !== null && one.visits !== null);
  const of = (name: keyof Sums) => sum(days.map((one) => one[name] ?? 0));
  const durations = sum(visits.map(({ started, last }) => millisecond(last) - millisecond(started)));
  const own = {
    bounce_rate: visits.filter(isBounce).length,
    visit_duration: durations,
    views_per_visit: facts.filter(isView).length,
  };
  const n = own[metric] + of(field[metric]);
  return { n: metric === "visit_duration" ? n / 1000 : n, d: visits.length + of("visits") };
}

const centsOf = (sales: readonly Sale[]) => Math.round(Number(earned(sales).amount) * 100);

function totalOf(scope: Selection, query: Query & ChangesQuery): Parts {
  const { metric } = query;
  if (metric === "revenue") return { n: centsOf(salesOf(scope)), d: 0 };
  if (metric === "conversions") return { n: conversionsIn(scope, query).length, d: 0 };
  const { visits, facts, imported, range } = scope;
  return partsOf(metric, { visits, facts, imported: imported.filter(({ key }) => key === null) }, range.zone);
}

function conversionsIn({ facts, known }: Selection, { goal }: ChangesQuery): Fact[] {
  if (goal === undefined) return facts.filter((fact) => converts(fact, known));
  return facts.filter((fact) => reaches(fact, goalOf(goal, known.goals)));
}

function valuesOf(scope: Selection, query: Query & ChangesQuery, key: DimensionKey): Map<string | null, Parts> {
  const { metric } = query;
  if (metric !== "conversions" && metric !== "revenue")
    return new Map(
      groupsBy(scope, [key]).map((group) => [group.values[0] ?? null, partsOf(metric, group, scope.range.zone)]),
    );
  const hasRow = ({ visit }: Fact) => !isOfWholeVisits(key) || viewsOf(visit).length > 0;
  const wordOf = (fact: Fact) => valueOfFact(fact, key, scope.titles) || null;
  const all = metric === "revenue" ? salesOf(scope).map(({ fact }) => fact) : conversionsIn(scope, query);
  const counted = all.filter(hasRow);
  return new Map(
    [...new Set(counted.map(wordOf))].map((value) => {
      const those = new Set(counted.filter((fact) => wordOf(fact) === value));
      const n = metric === "revenue" ? centsOf(salesOf(scope).filter(({ fact }) => those.has(fact))) : those.size;
      return [value, { n, d: 0 }];
    }),
  );
}

const near = (number: number) => Math.round(number * 1e9) / 1e9;
const exact = (number: number) => Math.round(number * 1e12) / 1e12 + 0;

interface Changed {
  dimension: DimensionKey;
  value: string | null;
  parts: Both;
  effect: number;
  trend: number;
}

/** Returns by how much a value changed the total, and by how much it would have if it had changed like the total. */
function effectOf(metric: Metric, { before, after }: Both, total: Both): { effect: number; trend: number } {
  const [n0, n1, t0, t1] = [before.n ?? 0, after.n ?? 0, total.before.n ?? 0, total.after.n ?? 0];
  const isNew = t0 === 0 && n0 === 0;
  if (!isRatio(metric)) return { effect: n1 - n0, trend: t0 > 0 ? (n0 / t0) * (t1 - t0) : isNew ? n1 : 0 };
  const [share0, share1] = [before.d / total.before.d, after.d / total.after.d];
  const [ratio0, ratio1] = [t0 / total.before.d, t1 / total.after.d];
  return {
    effect: n1 / total.after.d - n0 / total.before.d - ((share1 - share0) * (ratio0 + ratio1)) / 2,
    trend: ((share0 + share1) / 2) * (ratio1 - ratio0),
  };
}

function ratioOf(metric: Metric, { n, d }: Parts): number | null {
  if (isRatio(metric)) return d > 0 ? (n ?? 0) / d : null;
  if (n === null) return null;
  return metric === "revenue" ? n / 100 : n;
}

function compared(metric: Metric, { before, after }: Both) {
  const [was, is] = [ratioOf(metric, before), ratioOf(metric, after)];
  return { before: was, after: is, change: was === null || is === null ? null : exact(is - was) };
}

export function changes(query: Query & ChangesQuery, known: Known): object {
  const { metric, limit } = query;
  const { scope, before } = select(query, known);
  if (!before) throw new Error("changes need a comparison");
  const unit = metric === "revenue" ? 100 : 1;
  const total: Both = { before: totalOf(before, query), after: totalOf(scope, query) };
  const answer = compared(metric, total);
  const share = (effect: number | null) => (effect !== null && answer.change ? exact(effect / answer.change) : null);
  const isKnown = answer.change !== null;
  const sizeOf = ({ n, d }: Parts) => (isRatio(metric) ? d : (n ?? 0));
  const largest = ({ before, after }: Both) => Math.max(Math.abs(sizeOf(before)), Math.abs(sizeOf(after)));
  const byText = (a: Changed, b: Changed) => {
    if (a.value === b.value) return 0;
    if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
    return a.value < b.value ? -1 : 1;
  };
  const ties = (a: Changed, b: Changed) => largest(b.parts) - largest(a.parts) || byText(a, b);

  const found = query.dimensions.map((dimension) => {
    const [then, now] = [valuesOf(before, query, dimension), valuesOf(scope, query, dimension)];
    const rows = [...new Set([...then.keys(), ...now.keys()])].flatMap((value): Changed[] => {
      const parts = { before: then.get(value) ?? NONE, after: now.get(value) ?? NONE };
      const isEmpty = [parts.before, parts.after].every(({ n, d }) => n === 0 && d === 0);
      if (!isKnown || isEmpty || parts.before.n === null || parts.after.n === null) return [];
      return [{ dimension, value, parts, ...effectOf(metric, parts, total) }];
    });
    return { dimension, rows: rows.sort((a, b) => Math.abs(near(b.effect)) - Math.abs(near(a.effect)) || ties(a, b)) };
  });

  const numbersFor = ({ value, parts, effect, trend }: Changed) => {
    const [was, is] = [sizeOf(parts.before), sizeOf(parts.after)];
    const [share0, share1] = [parts.before.d / total.before.d, parts.after.d / total.after.d];
    const [ratio0, ratio1] = [ratioOf(metric, parts.before), ratioOf(metric, parts.after)];
    const within = ratio0 === null || ratio1 === null ? 0 : ((share0 + share1) / 2) * (ratio1 - ratio0);
    return {
      value,
      status: was === 0 && is !== 0 ? "new" : is === 0 && was !== 0 ? "lost" : "both",
      ...compared(metric, parts),
      effect: exact(effect / unit),
      contribution: share(exact(effect / unit)),
      beyond_trend: isRatio(metric) ? exact(effect - trend) : Math.round(((effect - trend) / unit) * 1e6) / 1e6 + 0,
      ratio_parts: isRatio(metric)
        ? {
            share_before: exact(share0),
            share_after: exact(share1),
            mix: exact(effect - within),
            within: exact(within),
          }
        : null,
    };
  };

  const rest = (listed: Changed[]) => {
    const left = (range: keyof Both) => ({
      n: total[range].n === null ? null : total[range].n - sum(listed.map(({ parts }) => parts[range].n ?? 0)),
      d: total[range].d - sum(listed.map(({ parts }) => parts[range].d)),
    });
    const effect =
      answer.change === null ? null : exact(answer.change - sum(listed.map((one) => exact(one.effect / unit))));
    return {
      ...compared(metric, { before: left("before"), after: left("after") }),
      effect,
      contribution: share(effect),
    };
  };

  const [range, previous] = [scope.range, before.range];
  const isOpen =
    filtersOf(query).every((filters) => Object.keys(filters).length === 0) &&
    ["human", "all"].includes(query.traffic ?? "human");
  const hasImports =
    isOpen &&
    (known.imported?.sums ?? []).some(
      ({ key, date }) => key === null && [range, previous].some(({ from, to }) => from <= date && date <= to),
    );

  const scored = found.flatMap(({ dimension, rows }) => {
    const all = rows.map((one) => {
      const beyond = near(one.effect) - near(one.trend);
      const isNamed = one.value !== null || dimension === "source";
      const stands = isNamed && Math.sign(near(one.effect)) === Math.sign(beyond);
      return { one, score: stands ? Math.min(Math.abs(near(one.effect)), Math.abs(beyond)) : 0 };
    });
    const best = [1, -1].flatMap((direction) => {
      const those = all.filter(({ one, score }) => score > 0 && Math.sign(near(one.effect)) === direction);
      return those.sort((a, b) => b.score - a.score || ties(a.one, b.one)).slice(0, 1);
    });
    return all.filter((one) => best.includes(one));
  });
  scored.sort((a, b) => near(b.score / unit) - near(a.score / unit));
  const least = Math.max(Math.abs(answer.before ?? 0), Math.abs(answer.after ?? 0)) * 0.005;
  const telling = scored.filter(({ score }) => near(score / unit) >= near(least));
  const told = telling.filter(
    ({ one }, index) =>
      !telling
        .slice(0, index)
        .some(
          ({ one: other }) =>
            DIMENSIONS[other.dimension].dictionary === DIMENSIONS[one.dimension].dictionary &&
            other.effect > 0 === one.effect > 0,
        ),
  );
  const change = answer.change ?? 0;
  const first = change === 0 ? undefined : told.find(({ one }) => one.effect > 0 === change > 0);
  const findings = first ? [first, ...told.filter((one) => one !== first)] : told;

  return {
    currency: metric === "revenue" ? "EUR" : null,
    total: answer,
    findings: findings.slice(0, 8).map(({ one }) => ({ dimension: one.dimension, ...numbersFor(one) })),
    dimensions: found.map(({ dimension, rows }) => {
      const listed = rows.slice(0, limit);
      const some = (status: string) => {
        const those = rows.filter((one) => numbersFor(one).status === status);
        return { values: those.length, effect: exact(sum(those.map(({ effect }) => effect)) / unit) };
      };
      return {
        dimension,
        additive: !hasImports && metric !== "visitors" && !(metric === "visits" && isOfEvents(dimension)),
        values: listed.map(numbersFor),
        other: { values: rows.length - listed.length, ...rest(listed) },
        new_values: some("new"),
        lost_values: some("lost"),
      };
    }),
  };
}
