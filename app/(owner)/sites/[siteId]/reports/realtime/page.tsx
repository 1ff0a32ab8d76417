import { RealtimeReport } from "@/components/reports/pages/realtime";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("realtime");

const RealtimePage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="realtime"
    body={({ answer }) => <RealtimeReport key={answer.cursor} first={answer} />}
  />
);

export default RealtimePage;
