import { JourneyForm } from "@/components/reports/pages/journey-form";
import { JourneysReport } from "@/components/reports/pages/journeys";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("journeys");

const textOf = (given: string | string[] | undefined): string => (typeof given === "string" ? given : "");

const JourneysPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="journeys"
    body={({ answer, sheets, site }) => <JourneysReport answer={answer} sheets={sheets} siteId={site.site_id} />}
    above={({ start, funnel }) => (
      <JourneyForm key={`${start} ${funnel}`} start={textOf(start)} funnel={textOf(funnel)} />
    )}
  />
);

export default JourneysPage;
