import { CampaignsReport } from "@/components/reports/pages/campaigns";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("campaigns");

export default reportPage("campaigns", ({ answer, sheets, site }) => (
  <CampaignsReport answer={answer} sheets={sheets} domain={site.domain} />
));
