import { defineReport } from "@/components/reports/definition";
import { heatmapSays } from "@/components/reports/heatmap/says";
import { heatmapSheets } from "@/components/reports/heatmap/sheets";
import { REPORTS } from "@/lib/contract/reports";
import analyticsHeatmap from "@/lib/operations/analytics.heatmap";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Busy hours"),
  about: REPORTS.heatmap.about,
  op: analyticsHeatmap,
  sheets: heatmapSheets,
  says: heatmapSays,
  alone: true,
  async body({ answer, sheets, isShared }) {
    const { HeatmapReport } = await import("@/components/reports/heatmap/body");
    return <HeatmapReport answer={answer} sheets={sheets} mayInstall={!isShared} />;
  },
});
