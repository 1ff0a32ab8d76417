import { inject } from "vitest";

/** How much the tests check, and with which random cases. */

const { TIER, LUCK } = process.env;

/** Whether all cases are checked, as by `npm run test:full`, or a part of them. */
export const isFull = TIER === "full";

/** Returns the number of runs of a property test. */
export const runs = ({ full, quick }: { full: number; quick: number }): number => (isFull ? full : quick);

/** Returns all cases in the full tier, and otherwise the first of every `step`. */
export const sampled = <Case>(cases: readonly Case[], step: number): Case[] =>
  cases.filter((_, index) => isFull || index % step === 0);

/** The seed of the oracle's worlds and of the protections that are removed: a new one in each test run. `LUCK=<seed>` repeats those of another run. */
export const FRESH_SEED = inject("freshSeed");

const FIXED_SEED = 8628;

/** The seed of all other cases: a fixed one, unless `LUCK` is set. `LUCK=new` uses a random one. */
export const SEED = LUCK === undefined ? FIXED_SEED : FRESH_SEED;
