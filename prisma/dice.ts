/** Values with their weights. */
export type Odds<T> = readonly (readonly [weight: number, value: T])[];

export interface Dice {
  next(): number;
  chance(share: number): boolean;
  pick<T>(odds: Odds<T>): T;
  /** Exponentially distributed with this mean. */
  around(mean: number): number;
}

/** Returns a deterministic random number generator (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (share) => next() < share,
    pick(odds) {
      let rest = next() * odds.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of odds) {
        rest -= weight;
        if (rest < 0) return value;
      }
      return (odds[0] as (typeof odds)[0])[1];
    },
    around: (mean) => -Math.log(1 - next()) * mean,
  };
}
