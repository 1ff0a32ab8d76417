import { defineReport } from "@/components/reports/definition";
import { exploreSheets } from "@/components/reports/explore/sheets";
import analyticsExplore from "@/lib/operations/analytics.explore";

const namesIn = (given: string | string[] | undefined): string[] =>
  typeof given === "string" ? given.split(",").filter(Boolean) : [];

export default defineReport({
  title: "Explore",
  op: analyticsExplore,
  sheets: exploreSheets,
  async body({ answer, sheets, query }) {
    const { ExploreReport } = await import("@/components/reports/explore/body");
    return <ExploreReport answer={answer} sheets={sheets} chart={query.chart} />;
  },
  above: ({ query: { metrics, dimensions } }) => (
    <Choices metrics={namesIn(metrics ?? "visitors,visits,pageviews")} dimensions={namesIn(dimensions)} />
  ),
});

async function Choices(chosen: { metrics: string[]; dimensions: string[] }) {
  const { ExploreChoices } = await import("@/components/reports/explore/body");
  return <ExploreChoices {...chosen} />;
}
