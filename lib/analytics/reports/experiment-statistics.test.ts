import fc from "fast-check";
import { expect, test } from "vitest";
import { goodnessOfFit, liftInterval, ready, standings } from "@/lib/analytics/reports/experiment-statistics";

/** Statistics against published numbers, closed formulas and simulation. */

await ready();

/** The parameters a and b of each variant's posterior, and the probability that the last variant is best. */
const PUBLISHED: [posteriors: number[], best: number][] = [
  // ankane/field_test, test/calculations_test.rb.
  [[1, 2, 3, 4], 0.6428571428571429],
  [[55, 50, 30, 30], 0.38386463776317903],
  [[50, 50, 35, 30], 0.6867997222295887],
  [[1, 2, 3, 4, 5, 6], 0.4128959276018096],
  [[1, 2, 3, 4, 5, 100], 0.0004147782900546515],
  [[55, 50, 30, 30, 10, 10], 0.35421204276865736],
  [[50, 50, 35, 30, 13, 18], 0.09139305107602524],
  // guillermo-navas-palencia/cprior, tests of beta_cprior.
  [[10, 50, 60, 250], 0.70889192],
  [[600, 550, 52, 60], 0.1223144258],
  [[1000, 900, 1200, 1000], 0.8898254504],
  [[1000, 900, 1200, 800], 0.9999982656],
];

test.each(PUBLISHED)("the probability to be best of posteriors %j is the published one", (posteriors, best) => {
  const variants = Array.from({ length: posteriors.length / 2 }, (_, index) => {
    const [a = 0, b = 0] = posteriors.slice(2 * index);
    return { exposed: a + b - 2, converted: a - 1 };
  });
  expect(standings(variants).at(-1)?.best).toBeCloseTo(best, 8);
});

/** The logarithm of the beta function of whole numbers, as a sum. */
function logBeta(a: number, b: number): number {
  let sum = -Math.log(b);
  for (let i = 1; i < a; i++) sum += Math.log(i) - Math.log(b + i);
  return sum;
}

/** Evan Miller, "Formulas for Bayesian A/B Testing" (2014): the probability that Beta(a, b) exceeds Beta(c, d). */
function exceeds(a: number, b: number, c: number, d: number): number {
  let sum = 0;
  for (let i = 0; i < a; i++)
    sum += Math.exp(logBeta(c + i, d + b) - Math.log(b + i) - logBeta(1 + i, b) - logBeta(c, d));
  return sum;
}

/** Chris Stucchio, "Easy evaluation of decision rules in Bayesian A/B testing" (2014): the loss of Beta(c, d). */
const lossOf = (a: number, b: number, c: number, d: number): number =>
  (a / (a + b)) * exceeds(a + 1, b, c, d) - (c / (c + d)) * exceeds(a, b, c + 1, d);

const counts = (most: number) =>
  fc
    .record({ exposed: fc.integer({ min: 0, max: most }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ exposed, share }) => ({ exposed, converted: Math.floor(exposed * share) }));

test("of two variants, probability to be best and expected loss agree with the closed formulas", () => {
  const pair = fc.tuple(counts(300), counts(300));
  fc.assert(
    fc.property(pair, ([one, other]) => {
      const [a, b, c, d] = [
        1 + one.converted,
        1 + one.exposed - one.converted,
        1 + other.converted,
        1 + other.exposed - other.converted,
      ];
      const [first, second] = standings([one, other]);
      expect(first?.best).toBeCloseTo(exceeds(a, b, c, d), 8);
      expect(second?.best).toBeCloseTo(exceeds(c, d, a, b), 8);
      expect(first?.loss).toBeCloseTo(lossOf(c, d, a, b), 8);
      expect(second?.loss).toBeCloseTo(lossOf(a, b, c, d), 8);
    }),
    { numRuns: 200 },
  );
});

test("of any number of variants of any size, one is best, and choosing that one loses least", () => {
  const many = fc.array(fc.oneof(counts(50), counts(5_000_000)), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(many, (variants) => {
      const all = standings(variants);
      expect(all.reduce((sum, { best }) => sum + best, 0)).toBeCloseTo(1, 6);
      for (const [index, { loss }] of all.entries()) {
        const mean = (at: number) => (1 + (variants[at]?.converted ?? 0)) / (2 + (variants[at]?.exposed ?? 0));
        const rival = all.findIndex((other) => other.loss < loss);
        // Expected losses differ by exactly what expected rates differ by.
        if (rival >= 0) expect(loss - (all[rival]?.loss ?? 0)).toBeCloseTo(mean(rival) - mean(index), 7);
      }
    }),
    { numRuns: 60 },
  );
});

/** Draws from Beta by brute force: Marsaglia and Tsang's gamma variates, from a seeded source. */
function sampler(seed: number) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const gamma = (shape: number): number => {
    const d = shape - 1 / 3;
    for (;;) {
      const x = normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  return ({ exposed, converted }: { exposed: number; converted: number }) => {
    const [x, y] = [gamma(1 + converted), gamma(1 + exposed - converted)];
    return x / (x + y);
  };
}

test("standings and the lift's interval agree with a simulation of the same belief", () => {
  const DRAWS = 20_000;
  const worlds = fc.tuple(fc.integer(), fc.array(fc.oneof(counts(20), counts(3000)), { minLength: 2, maxLength: 4 }));
  fc.assert(
    fc.property(worlds, ([seed, variants]) => {
      const draw = sampler(seed);
      const exact = standings(variants);
      const wins = variants.map(() => 0);
      const losses = variants.map(() => 0);
      const { low, high } = liftInterval(...(variants.slice(0, 2).reverse() as Parameters<typeof liftInterval>));
      let [belowLow, belowHigh] = [0, 0];
      for (let n = 0; n < DRAWS; n++) {
        const rates = variants.map(draw);
        const best = Math.max(...rates);
        const winner = rates.indexOf(best);
        wins[winner] = (wins[winner] ?? 0) + 1;
        for (const [index, rate] of rates.entries()) losses[index] = (losses[index] ?? 0) + best - rate;
        const lift = (rates[1] ?? 0) / (rates[0] ?? 1) - 1;
        if (lift < low) belowLow++;
        if (lift < high) belowHigh++;
      }
      // Five standard errors of so many draws.
      const near = (share: number) => 5 * Math.sqrt((share * (1 - share) + 1e-4) / DRAWS);
      for (const [index, { best, loss }] of exact.entries()) {
        expect(Math.abs((wins[index] ?? 0) / DRAWS - best)).toBeLessThan(near(best));
        expect(Math.abs((losses[index] ?? 0) / DRAWS - loss)).toBeLessThan(near(0.5));
      }
      expect(Math.abs(belowLow / DRAWS - 0.025)).toBeLessThan(near(0.025));
      expect(Math.abs(belowHigh / DRAWS - 0.975)).toBeLessThan(near(0.975));
    }),
    { numRuns: 25 },
  );
});

test("the lift's interval of rates that nothing is known about is that of a ratio of uniform numbers", () => {
  const { low, high } = liftInterval({ exposed: 0, converted: 0 }, { exposed: 0, converted: 0 });
  expect(low).toBeCloseTo(0.05 - 1, 6);
  expect(high).toBeCloseTo(20 - 1, 3);
});

test("where everybody converted, the lift's interval is that of the power law", () => {
  // X = U^(1/a), Y = V^(1/c): P(X/Y <= r) = c / (a + c) * r^a below 1, and 1 - a / (a + c) * r^-c above.
  const [a, c] = [101, 51];
  const { low, high } = liftInterval({ exposed: a - 1, converted: a - 1 }, { exposed: c - 1, converted: c - 1 });
  expect(1 + low).toBeCloseTo(((0.025 * (a + c)) / c) ** (1 / a), 6);
  expect(1 + high).toBeCloseTo(((0.025 * (a + c)) / a) ** (-1 / c), 6);
});

const shares = (...pairs: [count: number, share: number][]) => pairs.map(([count, share]) => ({ count, share }));

test("a sample-ratio mismatch has the published probability", () => {
  // Kohavi, Tang and Xu, "Trustworthy Online Controlled Experiments" (2020), chapter 3: 821,588 against 815,482.
  expect(goodnessOfFit(shares([821_588, 1], [815_482, 1]))?.pValue).toBeCloseTo(1.8e-6, 7);
  // Mendel's peas, 9:3:3:1: Fisher (1936) has chi-square 0.4700 with three degrees of freedom, p = 0.925.
  const fit = goodnessOfFit(shares([315, 9], [101, 3], [108, 3], [32, 1]));
  expect(fit?.statistic).toBeCloseTo(0.47, 3);
  expect(fit?.pValue).toBeCloseTo(0.925, 3);
});

test("a variant without a share is left out, and fewer than two variants or no visitors give no result", () => {
  for (const counts of [shares([5, 1]), shares([5, 1], [3, 0]), shares([0, 1], [0, 1])]) {
    expect(goodnessOfFit(counts)).toBeNull();
  }
});
