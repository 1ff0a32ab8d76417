import { FunnelReport } from "@/components/reports/pages/funnel";
import { FunnelForm } from "@/components/reports/pages/funnel-form";
import { addressOf } from "@/components/reports/view";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("funnel");

const FunnelPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="funnel"
    body={({ answer, sheets, site, asked: { funnel: _, ...asked } }) => (
      <FunnelReport answer={answer} sheets={sheets} all={addressOf(`/sites/${site.site_id}/reports/funnels`, asked)} />
    )}
    below={({ funnel }, site) => <FunnelForm key={`${funnel}`} siteId={site.site_id} />}
  />
);

export default FunnelPage;
