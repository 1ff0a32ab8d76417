import { z } from "zod";
import { overviewOf, PANELS } from "@/lib/analytics/panels";
import { ask } from "@/lib/analytics/question";
import { sumsOf } from "@/lib/analytics/series";
import { metricsOf } from "@/lib/analytics/sums";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, questionFields, untrusted } from "@/lib/contract/fields";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

const count = (metric: Metric) => z.int().meta({ description: METRICS[metric].about });
const ratio = (metric: Metric) => z.number().nullable().meta({ description: METRICS[metric].about });

const metricsShape = z.object({
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
type Metrics = z.infer<typeof metricsShape>;

const changeShape = z
  .object(
    Object.fromEntries(Object.keys(METRICS).map((key) => [key, z.number().nullable()])) as Record<
      Metric,
      z.ZodNullable<z.ZodNumber>
    >,
  )
  .meta({ description: "Relative change against the comparison, 0.1 = 10 % more; null when it was 0 or unknown" });

const panelShape = z.array(
  z.object({ value: untrusted.nullable(), visitors: z.int(), visits: z.int(), pageviews: z.int().optional() }),
);

const PANEL_ROWS = 10;

export default defineOperation({
  id: "analytics.overview",
  title: "Overview",
  about: "The headline numbers of a range, their change, and the ten most visited values of every panel.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(questionFields),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    metrics: metricsShape,
    previous: metricsShape.nullable(),
    change: changeShape.nullable(),
    panels: z.object(
      Object.fromEntries(Object.keys(PANELS).map((key) => [key, panelShape])) as Record<
        keyof typeof PANELS,
        typeof panelShape
      >,
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await ask(input, site, now);
    const [{ sums, panels }, sumsBefore] = await Promise.all([overviewOf(scope, PANEL_ROWS), before && sumsOf(before)]);
    const [metrics, previous] = [metricsOf(sums), sumsBefore && metricsOf(sumsBefore)];
    return { meta, metrics, previous, change: previous && changeOf(metrics, previous), panels };
  },
});

function changeOf(now: Metrics, before: Metrics): Record<Metric, number | null> {
  const keys = Object.keys(METRICS) as Metric[];
  return Object.fromEntries(
    keys.map((key) => {
      const [a, b] = [now[key], before[key]];
      return [key, a === null || b === null || b === 0 ? null : (a - b) / b];
    }),
  ) as Record<Metric, number | null>;
}
