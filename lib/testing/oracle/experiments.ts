import { expect } from "vitest";
import { converts, ranked } from "@/lib/testing/oracle/acquisition";
import { goalOf, reaches } from "@/lib/testing/oracle/filters";
import { ratio } from "@/lib/testing/oracle/metrics";
import { type Known, type Query, type Selection, select, selectIn } from "@/lib/testing/oracle/query";

/** Expected answer of experiments: counts by plain loops, statistics by sums over a fine grid. */

/** The saved experiment of every site of the oracle. */
export const PLAN = {
  name: "hero",
  goal: "Joined",
  variants: [
    { name: "control", weight: 1 },
    { name: "b", weight: 3 },
  ],
};

export function experiments(query: Query, known: Known): object {
  const { scope, before } = select(query, known);
  const names = namesIn(scope);
  return {
    experiments: names.map((name) => countsOf(name, scope)),
    comparison:
      before &&
      names.map((name) => {
        const counts = countsOf(name, before);
        return counts.exposed + counts.excluded > 0 ? counts : null;
      }),
  };
}

const exposuresIn = (scope: Selection) => scope.facts.filter(({ type }) => type === "exposure");

/** Returns the visitors that were exposed to an experiment, with their variants. */
function shownIn(name: string, scope: Selection) {
  const those = exposuresIn(scope).filter((fact) => fact.name === name);
  return [...new Set(those.map(({ visitor }) => visitor))].map((visitor) => {
    const theirs = those.filter((fact) => fact.visitor === visitor);
    const variants = new Set(theirs.map(({ props }) => `${props?.variant}`));
    return { visitor, variants, first: Math.min(...theirs.map(({ at }) => at)) };
  });
}

function namesIn(scope: Selection): string[] {
  const seen = new Set([PLAN.name, ...exposuresIn(scope).flatMap(({ name }) => name ?? [])]);
  return ranked(
    [...seen],
    (name) => [name === PLAN.name ? 1 : 0, shownIn(name, scope).length],
    (name) => [name],
  );
}

function countsOf(name: string, scope: Selection) {
  const { known, query, range } = scope;
  const plan = name === PLAN.name ? PLAN : null;
  const anything = selectIn(range, { ...query, filters: {}, saved: [] }, known).facts;
  const converting = anything.filter((fact) => {
    return plan ? reaches(fact, goalOf(plan.goal, known.goals)) : converts(fact, known);
  });
  const shown = shownIn(name, scope);
  const once = shown.filter(({ variants }) => variants.size === 1);
  const seen = [...new Set(once.flatMap(({ variants }) => [...variants]))].sort();
  const planned = plan?.variants.map((variant) => variant.name);
  const control = planned?.[0] ?? seen.find((one) => one === "control") ?? seen[0];
  const order = planned
    ? [...planned, ...seen.filter((one) => !planned.includes(one))]
    : seen.sort((a, b) => Number(b === control) - Number(a === control));
  const weights = plan?.variants.reduce((sum, { weight }) => sum + weight, 0) ?? order.length;
  const variants = order.map((variant) => {
    const weight = plan ? plan.variants.find((one) => one.name === variant)?.weight : 1;
    const mine = once.filter(({ variants }) => variants.has(variant));
    const converted = mine.filter(({ visitor, first }) =>
      converting.some((fact) => fact.visitor === visitor && fact.at > first),
    ).length;
    return {
      variant,
      control: variant === control,
      expected_share: weight === undefined ? null : weight / weights,
      exposed: mine.length,
      converted,
      rate: ratio(converted, mine.length),
    };
  });
  const base = variants.find((one) => one.control)?.rate;
  return {
    experiment: name,
    saved: plan !== null,
    goal: plan?.goal ?? null,
    conversion_basis: plan ? "goal" : known.goals.length > 0 ? "goals" : "events",
    exposed: once.length,
    excluded: shown.length - once.length,
    variants: variants.map((one) => ({
      ...one,
      lift: one.control || one.rate === null || !base ? null : one.rate / base - 1,
    })),
  };
}

interface ExperimentAnswer {
  variants: {
    control: boolean;
    exposed: number;
    converted: number;
    lift_interval: { low: number; high: number } | null;
    probability_best: number | null;
    expected_loss: number | null;
  }[];
}

const GRID = 2000;

/** Returns the posterior of a conversion rate as shares of a fine grid, with the cumulative share below each point. */
function posteriorOf({ exposed, converted }: { exposed: number; converted: number }) {
  const rates = Array.from({ length: GRID }, (_, n) => (n + 0.5) / GRID);
  const heights = rates.map((rate) => rate ** converted * (1 - rate) ** (exposed - converted));
  const all = heights.reduce((a, b) => a + b, 0);
  const shares = heights.map((height) => height / all);
  let sum = 0;
  const below = shares.map((share) => {
    sum += share;
    return sum - share / 2;
  });
  return { rates, shares, below, mean: (converted + 1) / (exposed + 2) };
}

/** Checks the statistics of an answer against sums over the grid of its own counts. */
export function checkStatistics({ variants }: ExperimentAnswer): void {
  const running = variants.filter(({ exposed }) => exposed > 0);
  if (running.length < 2) return;
  const posteriors = running.map(posteriorOf);
  const best = (n: number) => posteriors.reduce((product, { below }) => product * (below[n] as number), 1);
  const highest = Array.from({ length: GRID }, (_, n) => 1 - best(n)).reduce((a, b) => a + b, 0) / GRID;
  for (const [index, { shares, below, mean }] of posteriors.entries()) {
    const probability = shares.reduce((sum, share, n) => sum + (share * best(n)) / (below[n] as number), 0);
    expect(running[index]?.probability_best).toBeCloseTo(probability, 3);
    expect(running[index]?.expected_loss).toBeCloseTo(highest - mean, 3);
  }
  const control = posteriors[running.findIndex((one) => one.control)];
  for (const [index, { lift_interval }] of running.entries()) {
    if (!lift_interval || !control) continue;
    const other = posteriors[index] as (typeof posteriors)[number];
    const belowLift = (lift: number) =>
      control.rates.reduce((sum, rate, n) => {
        const place = Math.floor(rate * (1 + lift) * GRID);
        return sum + (control.shares[n] as number) * (place >= GRID ? 1 : (other.below[place] as number));
      }, 0);
    expect(belowLift(lift_interval.low)).toBeCloseTo(0.025, 2);
    expect(belowLift(lift_interval.high)).toBeCloseTo(0.975, 2);
  }
}
