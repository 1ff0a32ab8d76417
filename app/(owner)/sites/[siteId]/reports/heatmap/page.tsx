import { HeatmapReport } from "@/components/reports/pages/heatmap";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("heatmap");

export default reportPage("heatmap", ({ answer, sheets }) => <HeatmapReport answer={answer} sheets={sheets} />);
