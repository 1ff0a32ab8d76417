import { HeatmapReport } from "@/components/reports/pages/heatmap";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("heatmap");

const HeatmapPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="heatmap"
    body={({ answer, sheets }) => <HeatmapReport answer={answer} sheets={sheets} />}
  />
);

export default HeatmapPage;
