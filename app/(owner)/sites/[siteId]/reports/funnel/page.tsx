import { FunnelReport } from "@/components/reports/pages/funnel";
import { addressOf } from "@/components/reports/view";
import { reportPage, titleOf } from "../report";
import { Builder } from "./builder";

export const generateMetadata = titleOf("funnel");

export default reportPage(
  "funnel",
  ({ answer, sheets, site, query: { funnel: _, edits: __, ...query } }) => (
    <FunnelReport answer={answer} sheets={sheets} all={addressOf(`/sites/${site.site_id}/reports/funnels`, query)} />
  ),
  { below: (query, site) => <Builder site={site} params={query} /> },
);
