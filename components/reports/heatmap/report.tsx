import { defineReport } from "@/components/reports/definition";
import { heatmapSheets } from "@/components/reports/heatmap/sheets";
import analyticsHeatmap from "@/lib/operations/analytics.heatmap";

export default defineReport({
  title: "Heatmap",
  op: analyticsHeatmap,
  sheets: heatmapSheets,
  alone: true,
  async body({ answer, sheets }) {
    const { HeatmapReport } = await import("@/components/reports/heatmap/body");
    return <HeatmapReport answer={answer} sheets={sheets} />;
  },
});
