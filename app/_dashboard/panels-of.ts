import type { ListRow, PanelKey, PanelsAnswer } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { valueName } from "@/components/reports/values";
import { NOT_COMPARED, readView, reportInput, type View } from "@/components/reports/view";
import { PANELS } from "@/lib/analytics/reports/overview";
import analyticsEvents from "@/lib/operations/analytics.events";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { listGoals } from "@/lib/sites/saved/goals";
import type { QueryContext } from "./queries";

/** As many as other lists have rows. */
const MOST_GOALS = 10;

/** The lists of the view that an address says. @throws Refusal */
export async function panelsFromQuery(asking: QueryContext, address: URLSearchParams): Promise<PanelsAnswer> {
  return (await panelsOf(asking, readView(paramsOf(address)))).data;
}

/** The lists of a view, their values in words. Nothing is compared in them. @throws Refusal */
export async function panelsOf(asking: QueryContext, view: View): Promise<{ data: PanelsAnswer }> {
  const { as, siteId, now } = asking;
  const input = { ...reportInput(siteId, view), ...NOT_COMPARED };
  const [overview, goals] = await Promise.all([as(analyticsOverview, { input, now }), goalsReached(asking, view)]);
  const { metrics, panels } = overview.data;
  const rowsOf = (key: PanelKey): ListRow[] =>
    panels[key].map(({ value, visitors }) => ({ value, text: valueName(PANELS[key], value), visitors }));
  const lists = Object.fromEntries((Object.keys(PANELS) as PanelKey[]).map((key) => [key, rowsOf(key)]));
  return { data: { visitors: metrics.visitors, lists: lists as PanelsAnswer["lists"], goals } };
}

/** The goals that most visitors reached; asked for only where the usual panels show them, and where there are any. */
async function goalsReached({ as, siteId, now, goals }: QueryContext, view: View): Promise<ListRow[]> {
  if (!goals || view.panels.length > 0 || (await listGoals(siteId)).length === 0) return [];
  const input = { ...reportInput(siteId, view), ...NOT_COMPARED };
  const told = (await as(analyticsEvents, { input, now })).data.goals;
  const reached = told.filter(({ visitors }) => visitors > 0).sort((a, b) => b.visitors - a.visitors);
  return reached.slice(0, MOST_GOALS).map(({ goal, visitors }) => ({ value: goal, text: goal, visitors }));
}
