import { RetentionReport } from "@/components/reports/pages/retention";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("retention");

export default reportPage("retention", ({ answer, sheets }) => <RetentionReport answer={answer} sheets={sheets} />);
