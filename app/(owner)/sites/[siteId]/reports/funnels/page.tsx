import { FunnelForm } from "@/components/reports/pages/funnel-form";
import { FunnelsReport } from "@/components/reports/pages/funnels";
import { addressOf } from "@/components/reports/view";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("funnels");

const FunnelsPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="funnels"
    body={({ answer, sheets, site, asked }) => (
      <FunnelsReport
        answer={answer}
        sheets={sheets}
        details={(funnel) => addressOf(`/sites/${site.site_id}/reports/funnel`, { ...asked, funnel })}
      />
    )}
    below={(_, site) => <FunnelForm siteId={site.site_id} />}
  />
);

export default FunnelsPage;
