import fc from "fast-check";
import { FRESH_SEED, isFull, SEED } from "@/lib/testing/tier";

/** How often a property is checked. */
export interface Worlds {
  /** The number of worlds that every run of the full tier checks. */
  fixed: number;
  /** The number of worlds of the printed seed that `npm test` checks. */
  fresh?: number;
  /** Whether a failure is reported at once, without a search for a smaller world. */
  endOnFailure?: boolean;
}

const FRESH = 6;

/** Checks a property in the worlds of the seed that each run prints; in the full tier in the fixed worlds and one of that seed. */
export async function checkInWorlds<Case>(
  property: fc.IAsyncProperty<Case>,
  { fixed, fresh = FRESH, endOnFailure = false }: Worlds,
): Promise<void> {
  if (isFull) await fc.assert(property, { seed: SEED, numRuns: fixed, endOnFailure });
  try {
    await fc.assert(property, { seed: FRESH_SEED, numRuns: isFull ? 1 : fresh, endOnFailure });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(`${message}\n\nRepeat with LUCK=${FRESH_SEED} npx vitest run lib/testing/oracle`, { cause });
  }
}
