import { defineReport } from "@/components/reports/definition";
import { journeySheets } from "@/components/reports/journeys/sheets";
import type { SearchParams } from "@/components/reports/view";
import analyticsJourneys from "@/lib/operations/analytics.journeys";

const textOf = (given: SearchParams[string]): string => (typeof given === "string" ? given : "");

export default defineReport({
  title: "Journeys",
  op: analyticsJourneys,
  sheets: journeySheets,
  alone: true,
  async body({ answer, sheets, site }) {
    const { JourneysReport } = await import("@/components/reports/journeys/body");
    return <JourneysReport answer={answer} sheets={sheets} siteId={site.site_id} />;
  },
  above: ({ query }) => <Choices query={query} />,
});

async function Choices({ query: { start, funnel } }: { query: SearchParams }) {
  const { JourneyForm } = await import("@/components/reports/journeys/form");
  return <JourneyForm key={`${start} ${funnel}`} start={textOf(start)} funnel={textOf(funnel)} />;
}
