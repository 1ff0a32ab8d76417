import { compiled, igam, igamc, incbet } from "cephes";

/**
 * Detects unusual traffic by comparing an hour with the same hour of the week in the last four weeks. Visits in an
 * hour are modelled as Poisson-distributed (Haight, Handbook of the Poisson Distribution, 1967). Rates vary between
 * weeks, so a spike is tested against the highest of the weeks, and silence and drops against the lowest. Tail
 * probabilities come from the incomplete gamma and beta functions of the Cephes library.
 */

/** Weeks to look back, and the minimum of weeks with data for a verdict. */
export const WEEKS_BEFORE = 4;
const MIN_WEEKS = 2;

/** Significance level: with 168 hours a week, about one false alarm per year. */
const ALPHA = 1e-4;
/** Visits missing in a silence for an incident: at this rate, silence has a probability of e^-10 = 5e-5. */
const MIN_MISSED = 10;
const MIN_SPIKE = 30;
const SPIKE_FACTOR = 3;
const MIN_BEFORE_DROP = 20;
const DROP_FACTOR = 0.5;

/** Resolves when the WebAssembly module is compiled. Await it before you call the functions below. */
export const statisticsReady = (): Promise<void> => compiled;

/** Poisson tail probabilities: P(X >= n) = P(n, rate), and P(X <= n) = Q(n + 1, rate). */
export const chanceOfMore = (n: number, rate: number): number => (n === 0 ? 1 : igam(n, rate));
export const chanceOfFewer = (n: number, rate: number): number => igamc(n + 1, rate);

/** Returns whether zero visits are unusual, given the visits of the same hours in past weeks. */
export const isSilent = (past: readonly number[]): boolean =>
  past.length >= MIN_WEEKS && Math.min(...past) >= MIN_MISSED;

/**
 * Classifies the visits of an hour against the same hour in past weeks. A spike is at least 30 visits and three times
 * the highest past count; a drop is at most half of the lowest, which must be at least 20. Both must have a
 * probability below 1 in 10,000. Hours without visits are left to `isSilent`.
 *
 * @param past visits of the same hour in past weeks; "unknown" with fewer than two
 */
export function judgeHour(visits: number, past: readonly number[]): "unknown" | "usual" | "spike" | "drop" {
  if (past.length < MIN_WEEKS) return "unknown";
  const [lowest, highest] = [Math.min(...past), Math.max(...past, 1)];
  if (visits >= MIN_SPIKE && visits >= SPIKE_FACTOR * highest && chanceOfMore(visits, highest) < ALPHA) return "spike";
  if (visits === 0 || lowest < MIN_BEFORE_DROP || visits > DROP_FACTOR * lowest) return "usual";
  return chanceOfFewer(visits, lowest) < ALPHA ? "drop" : "usual";
}

/** Counts of received events, and of those that were refused. */
export interface Arrivals {
  all: number;
  refused: number;
}

const MIN_ARRIVALS = 20;
const MIN_REFUSED_SHARE = 0.1;
/** Floor of the usual share, for sites that never refused an event. */
const MIN_USUAL_SHARE = 0.01;

/**
 * Returns whether unusually many events are refused: a tenth of at least 20 events, at least three times the usual
 * share, and with a binomial probability below 1 in 10,000 at that share.
 */
export function isRefusing(now: Arrivals, usual: Arrivals): boolean {
  const share = Math.max(MIN_USUAL_SHARE, usual.all > 0 ? usual.refused / usual.all : 0);
  const seen = now.refused / now.all;
  if (now.all < MIN_ARRIVALS || seen < MIN_REFUSED_SHARE || seen < 3 * share) return false;
  return incbet(now.refused, now.all - now.refused + 1, share) < ALPHA;
}
