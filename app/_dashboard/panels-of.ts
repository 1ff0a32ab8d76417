import type { ListRow, PanelKey, PanelsAnswer } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { valueName } from "@/components/reports/values";
import { questionOf, readView, type View } from "@/components/reports/view";
import { PANELS } from "@/lib/analytics/panels";
import analyticsOverview from "@/lib/operations/analytics.overview";
import type { Asking } from "./ask";

/** The lists of the view that an address says. @throws Refusal */
export async function panelsAsked(asking: Asking, address: URLSearchParams): Promise<PanelsAnswer> {
  return (await panelsOf(asking, readView(paramsOf(address)))).data;
}

/** The lists of a view, their values in words. Nothing is compared in them. @throws Refusal */
export async function panelsOf({ as, siteId, now }: Asking, view: View): Promise<{ data: PanelsAnswer }> {
  const input = { ...questionOf(siteId, view), compare: "none" };
  const { metrics, panels } = (await as(analyticsOverview, { input, now })).data;
  const rowsOf = (key: PanelKey): ListRow[] =>
    panels[key].map(({ value, visitors }) => ({ value, text: valueName(PANELS[key], value), visitors }));
  const lists = Object.fromEntries((Object.keys(PANELS) as PanelKey[]).map((key) => [key, rowsOf(key)]));
  return { data: { visitors: metrics.visitors, lists: lists as PanelsAnswer["lists"] } };
}
