import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { heatmapOf } from "@/lib/analytics/reports/heatmap";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, reportFields } from "@/lib/contract/fields";

const week = z.array(
  z.object({
    weekday: z.int().min(1).max(7).meta({ description: "1 is Monday, 7 is Sunday" }),
    hour: z.int().min(0).max(23).meta({ description: "Local hour; 14 means 14:00 to 15:00" }),
    hours: z.int().meta({
      description:
        "How often this hour occurred in the range until now; divide by it for an average. An hour that a clock change repeats counts twice, a skipped hour does not count",
    }),
    visitors: z.int().meta({ description: "Visitors whose visits started in these hours, once per hour of each day" }),
    visits: z.int().meta({ description: "Visits that started in these hours" }),
  }),
);

export default defineOperation({
  id: "analytics.heatmap",
  title: "Heatmap",
  about:
    "Visitors and visits by weekday and hour in the site's local time. Imported days have no hours and are not included.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    cells: week.meta({ description: "All 168 hours of a week, starting on Monday at 0:00" }),
    comparison: week.nullable().meta({ description: "The comparison range: one cell for each of `cells`" }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const [cells, comparison] = await Promise.all([heatmapOf(scope, now), before && heatmapOf(before, now)]);
    return { meta, cells, comparison };
  },
});
