import { compiled, igam, igamc, incbet } from "cephes";

/**
 * What is unusual for a site, by its own past: the same hours of the week in the last four weeks. Visits arrive one by one
 * and independently, so that their number in an hour is Poisson's around that hour's rate (Haight, Handbook of the Poisson
 * Distribution, 1967). That rate itself differs from week to week: the highest of the weeks has to explain a spike, and
 * the lowest has to explain silence and a drop, or it is told. Tails come from the incomplete gamma and beta functions of
 * the Cephes library.
 */

/** How many weeks are looked back, and how few of them tell nothing yet. */
export const WEEKS = 4;
export const FEWEST_WEEKS = 2;

/** What would happen by chance less often than this is told: of 168 hours a week, one in a year. */
const CHANCE = 1e-4;
/** Silence for so long that even in the quietest of the weeks this many came has a chance of e^-10 = 5e-5. */
export const FEWEST_MISSED = 10;
const LEAST_SPIKE = 30;
const SPIKE_TIMES = 3;
const LEAST_BEFORE_DROP = 20;
const DROP_TO = 0.5;

/** The functions below may be called once this is settled. */
export const ready = (): Promise<void> => compiled;

/** The chance that Poisson's gives this many or more: P(X >= n) = P(n, rate), and this many or fewer: Q(n + 1, rate). */
export const chanceOfMore = (n: number, rate: number): number => (n === 0 ? 1 : igam(n, rate));
export const chanceOfFewer = (n: number, rate: number): number => igamc(n + 1, rate);

/** Whether it is strange that nobody came, where in the same hours of each of the weeks so many did. */
export const isSilent = (past: readonly number[]): boolean =>
  past.length >= FEWEST_WEEKS && Math.min(...past) >= FEWEST_MISSED;

/**
 * What an hour's visits are beside those of the same hour in the last weeks. A spike is at least 30 and three times the
 * highest of them, a drop at most half of the lowest, which is at least 20; and either by chance less often than once in
 * ten thousand. An hour without any is not judged here: `isSilent` does.
 *
 * @param past fewer than two weeks tell nothing.
 */
export function judgeHour(visits: number, past: readonly number[]): "unknown" | "usual" | "spike" | "drop" {
  if (past.length < FEWEST_WEEKS) return "unknown";
  const [lowest, highest] = [Math.min(...past), Math.max(...past, 1)];
  if (visits >= LEAST_SPIKE && visits >= SPIKE_TIMES * highest && chanceOfMore(visits, highest) < CHANCE)
    return "spike";
  if (visits === 0 || lowest < LEAST_BEFORE_DROP || visits > DROP_TO * lowest) return "usual";
  return chanceOfFewer(visits, lowest) < CHANCE ? "drop" : "usual";
}

/** What became of events: how many came, and how many of them were refused. */
export interface Arrivals {
  all: number;
  refused: number;
}

const FEWEST_ARRIVALS = 20;
const LEAST_REFUSED_SHARE = 0.1;
/** A site that has never refused anything has still not shown that it refuses less than this. */
const LEAST_USUAL_SHARE = 0.01;

/**
 * Whether more is refused than usual: of at least 20 events a tenth, three times the usual share, and so many that the
 * binomial distribution with that share gives them less often than once in ten thousand.
 */
export function isRefusing(now: Arrivals, usual: Arrivals): boolean {
  const share = Math.max(LEAST_USUAL_SHARE, usual.all > 0 ? usual.refused / usual.all : 0);
  const seen = now.refused / now.all;
  if (now.all < FEWEST_ARRIVALS || seen < LEAST_REFUSED_SHARE || seen < 3 * share) return false;
  return incbet(now.refused, now.all - now.refused + 1, share) < CHANCE;
}
