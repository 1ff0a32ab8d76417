import { CommerceReport } from "@/components/reports/pages/commerce";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("commerce");

const CommercePage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="commerce"
    body={({ answer, sheets, site }) => (
      <CommerceReport answer={answer} sheets={sheets} currency={site.reporting_currency} />
    )}
  />
);

export default CommercePage;
