import { z } from "zod";
import type { Metrics } from "@/lib/analytics/sums";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

/** What a whole range comes to, as operations tell it, and how that changed. */

const count = (metric: Metric) => z.int().meta({ description: METRICS[metric].about });
const ratio = (metric: Metric) => z.number().nullable().meta({ description: METRICS[metric].about });

export const metricsShape = z.object({
  visitors: count("visitors"),
  visits: count("visits"),
  pageviews: count("pageviews"),
  events: count("events"),
  views_per_visit: ratio("views_per_visit"),
  bounce_rate: ratio("bounce_rate"),
  visit_duration: ratio("visit_duration"),
  time_on_page: ratio("time_on_page"),
  scroll_depth: ratio("scroll_depth"),
});

const keys = Object.keys(METRICS) as Metric[];
const CHANGE = "Relative change against the comparison, 0.1 = 10 % more; null when it was 0 or unknown";

export const changeShape = z
  .object(
    Object.fromEntries(keys.map((key) => [key, z.number().nullable()])) as Record<Metric, z.ZodNullable<z.ZodNumber>>,
  )
  .meta({ description: CHANGE });

/** Buckets have no scroll depth, and neither has what they come to. */
export const metricsOfBuckets = metricsShape.omit({ scroll_depth: true });
export const changeOfBuckets = changeShape.omit({ scroll_depth: true }).meta({ description: CHANGE });

/** The relative change of each metric; null where it was 0 or is unknown. */
export function changeOf(now: Metrics, before: Metrics): Record<Metric, number | null> {
  const changes = keys.map((key) => {
    const [a, b] = [now[key], before[key]];
    return [key, a === null || b === null || b === 0 ? null : (a - b) / b];
  });
  return Object.fromEntries(changes) as Record<Metric, number | null>;
}
