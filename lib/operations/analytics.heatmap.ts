import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { heatmapOf } from "@/lib/analytics/reports/heatmap";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, reportFields } from "@/lib/contract/fields";

const week = z.array(
  z.object({
    weekday: z.int().min(1).max(7).meta({ description: "1 is Monday, 7 is Sunday" }),
    hour: z.int().min(0).max(23).meta({ description: "Local hour: 14 is from 14:00 to 15:00" }),
    hours: z.int().meta({
      description:
        "How often this hour began in the range until now; divide by it for an average. An hour that a clock change repeats counts twice, one that it skips does not count",
    }),
    visitors: z
      .int()
      .meta({ description: "Visitors whose visits began in these hours, once in each hour of each day" }),
    visits: z.int().meta({ description: "Visits that began in these hours" }),
  }),
);

export default defineOperation({
  id: "analytics.heatmap",
  title: "Heatmap",
  about:
    "Visitors and visits by weekday and hour of the site's local time: when people come. Imported days have no hours and are not in it.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    cells: week.meta({ description: "All 168 hours of a week, from Monday 0:00 on" }),
    comparison: week.nullable().meta({ description: "The comparison range, cell by cell beside `cells`" }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const [cells, comparison] = await Promise.all([heatmapOf(scope, now), before && heatmapOf(before, now)]);
    return { meta, cells, comparison };
  },
});
