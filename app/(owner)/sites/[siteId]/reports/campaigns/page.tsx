import { CampaignsReport } from "@/components/reports/pages/campaigns";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("campaigns");

const CampaignsPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="campaigns"
    body={({ answer, sheets, site }) => <CampaignsReport answer={answer} sheets={sheets} domain={site.domain} />}
  />
);

export default CampaignsPage;
