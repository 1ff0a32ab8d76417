import { FunnelReport } from "@/components/reports/pages/funnel";
import { addressOf } from "@/components/reports/view";
import { type PageProps, ReportPage, titleOf } from "../report";
import { Builder } from "./builder";

export const generateMetadata = titleOf("funnel");

const FunnelPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="funnel"
    body={({ answer, sheets, site, asked: { funnel: _, edits: __, ...asked } }) => (
      <FunnelReport answer={answer} sheets={sheets} all={addressOf(`/sites/${site.site_id}/reports/funnels`, asked)} />
    )}
    below={(asked, site) => <Builder site={site} asked={asked} />}
  />
);

export default FunnelPage;
