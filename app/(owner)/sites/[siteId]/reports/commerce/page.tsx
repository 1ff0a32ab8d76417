import { CommerceReport } from "@/components/reports/pages/commerce";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("commerce");

export default reportPage("commerce", ({ answer, sheets, site }) => (
  <CommerceReport answer={answer} sheets={sheets} currency={site.reporting_currency} />
));
