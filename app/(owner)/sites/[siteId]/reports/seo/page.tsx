import { SeoReport } from "@/components/reports/pages/seo";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("seo");

export default reportPage("seo", ({ answer, sheets }) => <SeoReport answer={answer} sheets={sheets} />);
