import { defineReport } from "@/components/reports/definition";
import { heatmapSays } from "@/components/reports/heatmap/says";
import { heatmapSheets } from "@/components/reports/heatmap/sheets";
import analyticsHeatmap from "@/lib/operations/analytics.heatmap";

export default defineReport({
  op: analyticsHeatmap,
  sheets: heatmapSheets,
  says: heatmapSays,
  alone: true,
  async body({ answer, sheets, isShared }) {
    const { HeatmapReport } = await import("@/components/reports/heatmap/body");
    return <HeatmapReport answer={answer} sheets={sheets} mayInstall={!isShared} />;
  },
});
