import { randomInt } from "node:crypto";

/** How much the tests check, and with which random cases. */

const { TIER, LUCK } = process.env;

/** Whether all cases are checked, as by `npm run test:full`, or a part of them. */
export const isFull = TIER === "full";

/** Returns the number of runs of a property test. */
export const runs = ({ full, quick }: { full: number; quick: number }): number => (isFull ? full : quick);

const FIXED_SEED = 8628;

const luck = Number.parseInt(LUCK ?? "", 10);

/** The seed of the worlds that `npm test` checks. Those of a new seed must not fail a change of something else. */
const CHECKED_SEED = 590054591;

/** The seed of worlds: a new one in the full tier. `LUCK=<seed>` repeats those of another run, `LUCK=new` draws some. */
export const FRESH_SEED = Number.isNaN(luck) ? (isFull || LUCK === "new" ? randomInt(2 ** 31) : CHECKED_SEED) : luck;

/** The seed of all other cases: a fixed one, unless `LUCK` is set. `LUCK=new` uses a random one. */
export const SEED = LUCK === undefined ? FIXED_SEED : FRESH_SEED;
