import { ExperimentsReport } from "@/components/reports/pages/experiments";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("experiments");

const ExperimentsPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="experiments"
    body={({ answer, sheets }) => <ExperimentsReport answer={answer} sheets={sheets} />}
  />
);

export default ExperimentsPage;
