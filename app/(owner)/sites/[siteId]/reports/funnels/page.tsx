import { FunnelsReport } from "@/components/reports/pages/funnels";
import { addressOf } from "@/components/reports/view";
import { manages } from "@/lib/contract/vocabulary";
import { Builder } from "../funnel/builder";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("funnels");

export default reportPage(
  "funnels",
  ({ answer, sheets, site, query }) => (
    <FunnelsReport
      answer={answer}
      sheets={sheets}
      manages={manages(site.role)}
      details={(funnel) => addressOf(`/sites/${site.site_id}/reports/funnel`, { ...query, funnel })}
    />
  ),
  { below: (_, site) => <Builder site={site} params={{}} /> },
);
