import { ExploreChoices, ExploreReport } from "@/components/reports/pages/explore";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("explore");

const namesIn = (given: string | string[] | undefined): string[] =>
  typeof given === "string" ? given.split(",").filter(Boolean) : [];

export default reportPage(
  "explore",
  ({ answer, sheets, query }) => <ExploreReport answer={answer} sheets={sheets} chart={query.chart} />,
  {
    above: ({ metrics, dimensions }) => (
      <ExploreChoices metrics={namesIn(metrics ?? "visitors,visits,pageviews")} dimensions={namesIn(dimensions)} />
    ),
  },
);
