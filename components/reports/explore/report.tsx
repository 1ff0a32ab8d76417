import { defineReport } from "@/components/reports/definition";
import { exploreSays } from "@/components/reports/explore/says";
import { exploreSheets } from "@/components/reports/explore/sheets";
import { LazyAttributionChoice } from "@/components/reports/parts/lazy-parts";
import { OF_GOALS, OUTCOMES } from "@/lib/contract/vocabulary";
import analyticsExplore from "@/lib/operations/analytics.explore";
import sitesGoalsList from "@/lib/operations/sites.goals.list";

const namesIn = (given: string | string[] | undefined): string[] =>
  typeof given === "string" ? given.split(",").filter(Boolean) : [];

const isOfGoal = (metric: string): boolean => OF_GOALS.some((one) => one === metric);
const isAttributed = (metric: string): boolean => metric in OUTCOMES;

export default defineReport({
  op: analyticsExplore,
  sheets: exploreSheets,
  says: exploreSays,
  attributed: ({ metrics }) => metrics.some(isAttributed),
  ownGoal: true,
  withGoal: (goal, { metrics }) => (namesIn(metrics).some(isOfGoal) ? { goal } : {}),
  async body({ answer, sheets, query }) {
    const { ExploreReport } = await import("@/components/reports/explore/body");
    return <ExploreReport answer={answer} sheets={sheets} chart={query.chart} />;
  },
  above: ({ query: { metrics, dimensions, goal }, read, site }) => (
    <>
      <ExploreChoicesWithGoals
        siteId={site.site_id}
        metrics={namesIn(metrics ?? "visitors,visits,pageviews")}
        dimensions={namesIn(dimensions)}
        goal={typeof goal === "string" ? goal : ""}
        goals={async () => (await read(sitesGoalsList, { site_id: site.site_id })).goals.map(({ name }) => name)}
      />
      {namesIn(metrics).some(isAttributed) && <LazyAttributionChoice />}
    </>
  ),
});

interface ChoicesProps {
  siteId: number;
  metrics: string[];
  dimensions: string[];
  goal: string;
  goals: () => Promise<string[]>;
}

async function ExploreChoicesWithGoals({ goals, ...chosen }: ChoicesProps) {
  const { ExploreChoices } = await import("@/components/reports/explore/body");
  return <ExploreChoices {...chosen} goals={await goals()} />;
}
