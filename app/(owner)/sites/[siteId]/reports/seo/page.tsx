import { SeoReport } from "@/components/reports/pages/seo";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("seo");

const SeoPage = (props: PageProps) => (
  <ReportPage {...props} report="seo" body={({ answer, sheets }) => <SeoReport answer={answer} sheets={sheets} />} />
);

export default SeoPage;
