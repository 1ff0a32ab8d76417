import { FunnelReport } from "@/components/reports/pages/funnel";
import { addressOf } from "@/components/reports/view";
import { type PageProps, ReportPage, titleOf } from "../report";
import { Builder } from "./builder";

export const generateMetadata = titleOf("funnel");

const FunnelPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="funnel"
    body={({ answer, sheets, site, query: { funnel: _, edits: __, ...query } }) => (
      <FunnelReport answer={answer} sheets={sheets} all={addressOf(`/sites/${site.site_id}/reports/funnels`, query)} />
    )}
    below={(query, site) => <Builder site={site} params={query} />}
  />
);

export default FunnelPage;
