import { JourneyForm } from "@/components/reports/pages/journey-form";
import { JourneysReport } from "@/components/reports/pages/journeys";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("journeys");

const textOf = (given: string | string[] | undefined): string => (typeof given === "string" ? given : "");

export default reportPage(
  "journeys",
  ({ answer, sheets, site }) => <JourneysReport answer={answer} sheets={sheets} siteId={site.site_id} />,
  {
    above: ({ start, funnel }) => (
      <JourneyForm key={`${start} ${funnel}`} start={textOf(start)} funnel={textOf(funnel)} />
    ),
  },
);
