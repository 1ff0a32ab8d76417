import { defineReport } from "@/components/reports/definition";
import { heatmapSays } from "@/components/reports/heatmap/says";
import { heatmapSheets } from "@/components/reports/heatmap/sheets";
import analyticsHeatmap from "@/lib/operations/analytics.heatmap";

export default defineReport({
  title: "Busy hours",
  about: "When visitors come: the busy and quiet hours of the week.",
  op: analyticsHeatmap,
  sheets: heatmapSheets,
  says: heatmapSays,
  alone: true,
  async body({ answer, sheets }) {
    const { HeatmapReport } = await import("@/components/reports/heatmap/body");
    return <HeatmapReport answer={answer} sheets={sheets} />;
  },
});
