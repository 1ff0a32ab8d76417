import { VitalsReport } from "@/components/reports/pages/vitals";
import { env } from "@/lib/platform/env";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("vitals");

export default reportPage("vitals", ({ answer, sheets, site }) => (
  <VitalsReport answer={answer} sheets={sheets} domain={site.domain} baseUrl={env().BASE_URL} />
));
