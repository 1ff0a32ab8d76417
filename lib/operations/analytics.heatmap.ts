import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { heatmapOf } from "@/lib/analytics/reports/heatmap";
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, reportFields } from "@/lib/contract/fields";

const week = z.array(
  z.object({
    weekday: about(z.int().min(1).max(7), "1 is Monday, 7 is Sunday", 5),
    hour: about(z.int().min(0).max(23), "Local hour; 14 means 14:00 to 15:00", 9),
    hours: about(
      z.int(),
      "How often this hour occurred in the range until now; divide by it for an average. An hour that a clock change repeats counts twice, a skipped hour does not count",
      4,
    ),
    visitors: about(z.int(), "Visitors whose visits started in these hours, once per hour of each day", 6),
    visits: about(z.int(), "Visits that started in these hours", 7),
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
