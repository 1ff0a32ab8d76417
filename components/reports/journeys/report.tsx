import { defineReport, type Place } from "@/components/reports/definition";
import { journeysSay } from "@/components/reports/journeys/says";
import { journeySheets } from "@/components/reports/journeys/sheets";
import type { SearchParams } from "@/components/reports/view";
import analyticsJourneys from "@/lib/operations/analytics.journeys";
import sitesFunnelsList from "@/lib/operations/sites.funnels.list";

const textOf = (given: SearchParams[string]): string => (typeof given === "string" ? given : "");

export default defineReport({
  op: analyticsJourneys,
  sheets: journeySheets,
  says: journeysSay,
  alone: true,
  async body({ answer, sheets, site, isShared }) {
    const { JourneysReport } = await import("@/components/reports/journeys/body");
    return <JourneysReport answer={answer} sheets={sheets} siteId={site.site_id} isShared={isShared === true} />;
  },
  above: ({ query, site, read }) => <JourneyChoices query={query} site={site} read={read} />,
});

async function JourneyChoices({ query, site, read }: Pick<Place, "query" | "site" | "read">) {
  const { LazyJourneyForm } = await import("@/components/reports/journeys/lazy-parts");
  const [start, funnel] = [textOf(query.start), textOf(query.funnel)];
  const { funnels } = await read(sitesFunnelsList, { site_id: site.site_id });
  return (
    <LazyJourneyForm
      key={`${start} ${funnel}`}
      siteId={site.site_id}
      start={start}
      funnel={funnel}
      funnels={funnels.map(({ name }) => name)}
    />
  );
}
