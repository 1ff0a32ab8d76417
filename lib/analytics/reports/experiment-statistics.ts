import { chdtrc, compiled, incbet, incbi, lbeta } from "cephes";

/**
 * Bayesian statistics of experiments. The posterior of a variant's rate is Beta(1 + converted, 1 + not converted), from
 * a uniform prior. Integrals follow fixed rules, so the same numbers always give the same answer; the incomplete beta
 * function and chi-square are those of the Cephes library.
 */

export interface Counts {
  exposed: number;
  converted: number;
}

interface Posterior {
  a: number;
  b: number;
  /** Its logarithm of the beta function, which every density needs. */
  scale: number;
  /** Points between which the density is smooth enough for one rule of integration. */
  cuts: number[];
}

/** Resolves once the WebAssembly of the library is compiled. */
export const ready = (): Promise<void> => compiled;

function posteriorOf({ exposed, converted }: Counts): Posterior {
  const [a, b] = [1 + converted, 1 + exposed - converted];
  const lower = cutsOf(a, b);
  const upper = cutsOf(b, a).map((cut) => 1 - cut);
  const cuts = [...lower, ...upper, quantile({ a, b }, 0.5)].sort((one, other) => one - other);
  return { a, b, scale: lbeta(a, b), cuts };
}

/** The cuts below the median: quantiles as far out as the library finds them, and two more steps beyond. */
function cutsOf(a: number, b: number): number[] {
  const [outer, ...inner] = [1e-5, 0.01, 0.2].map((share) => quantile({ a, b }, share)) as [number, number, number];
  const step = inner[1] - outer;
  return [Math.max(outer - 2 * step, 0), Math.max(outer - step, 0), outer, ...inner];
}

type Beta = Pick<Posterior, "a" | "b">;
const quantile = ({ a, b }: Beta, share: number): number => incbi(a, b, share);
/** The value that only this share exceeds, from the mirrored posterior: exact where 1 - share is not. */
const upperQuantile = ({ a, b }: Beta, share: number): number => 1 - incbi(b, a, share);
const below = ({ a, b }: Beta, x: number): number => (x >= 1 ? 1 : x <= 0 ? 0 : incbet(a, b, x));
const density = ({ a, b, scale }: Posterior, x: number): number =>
  Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - scale);

/** Nodes and weights of Gauss and Legendre's rule on -1 to 1, by Newton's method from their usual first guess. */
function legendre(points: number): { node: number; weight: number }[] {
  return Array.from({ length: points }, (_, index) => {
    let node = Math.cos((Math.PI * (index + 0.75)) / (points + 0.5));
    let slope = 1;
    for (let round = 0; round < 10; round++) {
      let [before, value] = [1, node];
      for (let n = 2; n <= points; n++) [before, value] = [value, ((2 * n - 1) * node * value - (n - 1) * before) / n];
      slope = (points * (node * value - before)) / (node * node - 1);
      node -= value / slope;
    }
    return { node, weight: 2 / ((1 - node * node) * slope * slope) };
  });
}
const RULE = legendre(12);

/** Points within 0 to 1 with their weights, piece by piece between the cuts. */
function pointsOf(cuts: number[]): { x: number; weight: number }[] {
  const edges = [...new Set(cuts)].sort((one, other) => one - other);
  return edges.slice(1).flatMap((edge, index) => {
    const from = edges[index] ?? edge;
    const half = (edge - from) / 2;
    return RULE.map(({ node, weight }) => ({ x: from + half * (1 + node), weight: half * weight }));
  });
}

export interface Standing {
  /** The probability that the variant's rate is the highest of all. */
  best: number;
  /** How much lower its rate is expected to be than the best one, as a difference of rates. */
  loss: number;
}

/** The probability of each variant to be best, and its expected loss, to about nine decimals. */
export function standings(variants: readonly Counts[]): Standing[] {
  const posteriors = variants.map(posteriorOf);
  const sums = posteriors.map(() => ({ best: 0, loss: 0 }));
  for (const { x, weight } of pointsOf(posteriors.flatMap(({ cuts }) => cuts))) {
    const shares = posteriors.map((posterior) => below(posterior, x));
    for (const [index, posterior] of posteriors.entries()) {
      const others = shares.reduce((product, share, other) => (other === index ? product : product * share), 1);
      const sum = sums[index] as Standing;
      sum.best += weight * density(posterior, x) * others;
      // The best of the others is above x while this one is below: added up over all x, the mean distance.
      sum.loss += weight * (shares[index] as number) * (1 - others);
    }
  }
  return sums;
}

/** The probability that one rate is at most `ratio` times the other. */
function ratioBelow(of: Posterior, against: Posterior, ratio: number): number {
  const [first = 0, last = 1] = [against.cuts[0], against.cuts.at(-1)];
  const inner = of.cuts.map((cut) => cut / ratio).filter((cut) => cut > first && cut < last);
  let sum = 0;
  for (const { x, weight } of pointsOf([...against.cuts, ...inner])) {
    sum += weight * density(against, x) * below(of, ratio * x);
  }
  return sum;
}

/**
 * The interval that holds the lift, a variant's rate relative to the control's less 1, with 95 % probability: as likely
 * above it as below.
 */
export function liftInterval(variant: Counts, control: Counts): { low: number; high: number } {
  const [of, against] = [posteriorOf(variant), posteriorOf(control)];
  // Brackets by the laws of probability alone: both rates must lie beyond their quantiles, or one of the two must.
  const median = quantile(against, 0.5);
  const lowest = quantile(of, 0.0125) / upperQuantile(against, 0.0125);
  const highest = upperQuantile(of, 0.0125) / quantile(against, 0.0125);
  const low = bisect([lowest, quantile(of, 0.05) / median], (at) => ratioBelow(of, against, at) < 0.025);
  const high = bisect([upperQuantile(of, 0.05) / median, highest], (at) => ratioBelow(of, against, at) < 0.975);
  return { low: low - 1, high: high - 1 };
}

/** Where a growing function stops being too low, to a millionth of the bracket. */
function bisect([from, to]: [number, number], tooLow: (at: number) => boolean): number {
  let [low, high] = [from, to];
  for (let round = 0; round < 20; round++) {
    const middle = (low + high) / 2;
    if (tooLow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Pearson's chi-square of counts against the shares they should have, and how likely as much or more is by chance.
 * Shares need not add up to 1; what has none is left out. Null with nothing to compare.
 */
export function goodnessOfFit(counts: readonly { count: number; share: number }[]): {
  statistic: number;
  pValue: number;
} | null {
  const fair = counts.filter(({ share }) => share > 0);
  const total = fair.reduce((sum, { count }) => sum + count, 0);
  const shares = fair.reduce((sum, { share }) => sum + share, 0);
  if (fair.length < 2 || total === 0) return null;
  const statistic = fair.reduce((sum, { count, share }) => {
    const expected = (total * share) / shares;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  return { statistic, pValue: chdtrc(fair.length - 1, statistic) };
}
