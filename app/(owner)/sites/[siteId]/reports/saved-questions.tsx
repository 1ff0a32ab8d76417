import type { QueryContext } from "@/app/_dashboard/queries";
import { ask } from "@/app/(owner)/access";
import { LazySavedQuestions } from "@/components/reports/explore/lazy-parts";
import { questionOf } from "@/components/reports/saved-dashboard";
import type { Segment } from "@/components/reports/segment-picker";
import type { SearchParams, View } from "@/components/reports/view";
import { Boundary } from "@/components/ui/boundary";
import { manages } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { OF_GOALS } from "@/lib/contract/vocabulary";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import { t } from "@/lib/texts/translate";
import type { creatorsOf } from "../creators";
import { dashboardsOf, savableView } from "../dashboards";

interface Props {
  owner: Owner;
  context: QueryContext;
  site: SiteShape;
  view: View;
  query: SearchParams;
  segments: Segment[];
  creators: ReturnType<typeof creatorsOf>;
}

/** The saved questions of Explore, and what of the open one can be saved. */
export async function QuestionsOfSite({ owner, context, site, view, query, segments, creators }: Props) {
  const question = questionOf(query);
  const asked = question.metrics?.split(",") ?? [];
  // A goal that was chosen elsewhere is not a part of a question without conversions.
  const goal = OF_GOALS.some((metric) => asked.includes(metric)) ? view.goal : null;
  const opened = { view: { ...view, goal, panels: [] }, question };
  const [saved, { goals }] = await Promise.all([
    dashboardsOf(owner, context, creators, opened),
    ask(sitesGoalsList, owner, { site_id: site.site_id }),
  ]);
  return (
    <Boundary what={t("the saved questions")}>
      <LazySavedQuestions
        siteId={site.site_id}
        questions={saved.filter(({ explores }) => explores)}
        current={view.opened}
        saving={savableView(
          opened,
          segments,
          goals.map(({ name }) => name),
        )}
        manages={manages(site.role)}
      />
    </Boundary>
  );
}
