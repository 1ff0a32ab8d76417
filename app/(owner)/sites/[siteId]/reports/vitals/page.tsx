import { VitalsReport } from "@/components/reports/pages/vitals";
import { env } from "@/lib/platform/env";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("vitals");

const VitalsPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="vitals"
    body={({ answer, sheets, site }) => (
      <VitalsReport answer={answer} sheets={sheets} domain={site.domain} baseUrl={env().BASE_URL} />
    )}
  />
);

export default VitalsPage;
