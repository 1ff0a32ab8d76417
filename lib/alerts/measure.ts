import { type Goal, goalNamed, goalsOf } from "@/lib/analytics/query/goals";
import { metricsOf, NOTHING } from "@/lib/analytics/query/metrics";
import type { Scope } from "@/lib/analytics/query/scope";
import { NO_OUTCOMES, outcomeQuestion, outcomesIn, outcomesOf, outcomesOfRows } from "@/lib/analytics/reports/outcomes";
import { sumsBy } from "@/lib/analytics/reports/series";
import { METRICS, type Measure, type Metric, OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";

/** What alert rules can measure, and its value in an hour or a day. */

/** Sums of an hour have no scroll depth. */
export const measures = [
  ...(Object.keys(METRICS) as Metric[]).filter((key) => key !== "scroll_depth"),
  ...(Object.keys(OUTCOMES) as Outcome[]),
] as [Measure, ...Measure[]];

const OF_GOALS: readonly Measure[] = ["conversions", "conversion_rate", "conversion_value"];
export const isOfGoals = (measure: Measure): boolean => OF_GOALS.includes(measure);
const isOutcome = (measure: Measure): measure is Outcome => measure in OUTCOMES;

interface Measured {
  metric: Measure;
  /** Name of a goal or event; null for any goal. */
  goal: string | null;
}

/**
 * Returns a measure in one bucket of a local day, or in the whole day.
 *
 * @param starts when each bucket begins; the first at the start of the day
 * @param bucket the place of the bucket; null for the day
 */
export async function measureIn(
  scope: Scope,
  { metric, goal }: Measured,
  starts: Date[],
  bucket: number | null,
): Promise<{ value: number | null; visits: number }> {
  const sums = (await sumsBy(scope, bucket === null ? scope.days : starts))[bucket ?? 0] ?? NOTHING;
  if (!isOutcome(metric)) return { value: metricsOf(sums)[metric], visits: sums.visits };
  const question = await outcomeQuestion(scope, [metric], isOfGoals(metric) ? await goalsAsked(scope, goal) : []);
  const found =
    bucket === null
      ? await outcomesIn(question)
      : (await outcomesOfRows(question, { interval: "hour", buckets: [], starts }, [], [[]]))[0]?.[bucket];
  return { value: outcomesOf(found ?? NO_OUTCOMES, sums, scope.currency)[metric], visits: sums.visits };
}

const goalsAsked = async ({ siteId }: Scope, goal: string | null): Promise<Goal[]> =>
  goal === null ? goalsOf(siteId) : [await goalNamed(siteId, goal)];
