import { RetentionReport } from "@/components/reports/pages/retention";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("retention");

const RetentionPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="retention"
    body={({ answer, sheets }) => <RetentionReport answer={answer} sheets={sheets} />}
  />
);

export default RetentionPage;
