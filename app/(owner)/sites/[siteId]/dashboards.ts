import type { SavedDashboard, Saving } from "@/components/reports/dashboard-picker";
import { sentenceOf } from "@/components/reports/filter-words";
import { writeFilters } from "@/components/reports/filters";
import { isSameView, joined, narrowedBy, patchOf, storedOf, viewOf } from "@/components/reports/kept";
import type { Segment } from "@/components/reports/segment-picker";
import { addressOf, readView, type SearchParams, type View } from "@/components/reports/view";
import { formatDate, formatRange } from "@/components/ui/format";
import { COMPARISONS } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import { describeDashboard, listDashboards } from "@/lib/sites/saved/dashboards";
import type { MakerOf } from "@/lib/sites/saved/makers";

/** A site's saved views, what each shows in words, and where it is opened. */
export async function dashboardsOf(siteId: number, makers: Promise<MakerOf>, now: View): Promise<SavedDashboard[]> {
  const [saved, makerOf] = await Promise.all([listDashboards(siteId), makers]);
  return saved.map((one) => {
    const view = viewOf(describeDashboard(one));
    return {
      id: one.id,
      name: one.name,
      about: wordsOf(view, view.filters ?? []).join(", "),
      maker: makerOf(one.createdById),
      patch: patchOf(view, one.id),
      changed: !isSameView(view, now),
    };
  });
}

/** Parameters of which the address' own replace all of the dashboard's. */
const TOGETHER = [
  ["period", "from", "to"],
  ["compare", "compare_from", "compare_to"],
];

/**
 * The whole address of a saved view for one that names it as an operation does, `dashboard=`, together with whatever else
 * that says: filters are AND-ed, and all else wins over the view's own. Our own pages say all themselves, and what they
 * were `opened` as; null for such an address. Where the filters cannot be said as one, the address' own remain, and the
 * view is not said to be open.
 */
export function wholeAddress(path: string, asked: SearchParams, view: View, saved: SavedDashboard[]): string | null {
  const meant = saved.find(({ id }) => id === asked.dashboard);
  if (!meant) return null;
  const kept = Object.fromEntries(Object.entries(meant.patch).flatMap(([key, value]) => (value ? [[key, value]] : [])));
  const filters = view.filters && narrowedBy(readView(kept).filters ?? [], view.filters);
  const replaced = TOGETHER.filter((keys) => keys.some((key) => asked[key] !== undefined)).flat();
  const left = (key: string) => key !== "filters" && !replaced.includes(key) && (filters || key !== "opened");
  const said = (key: string) => key !== "dashboard" && !(filters && key.startsWith("filters"));
  return addressOf(path, {
    ...Object.fromEntries(Object.entries(kept).filter(([key]) => left(key))),
    ...Object.fromEntries(Object.entries(asked).filter(([key]) => said(key))),
    ...(filters && { filters: writeFilters(filters) ?? undefined }),
  });
}

/** What would be saved of a view, with its segment as the filters that it is. */
export function savingOf(view: View, segments: Segment[]): Saving {
  const segment = segments.find(({ id }) => id === view.segment)?.filters ?? [];
  const filters = joined(segment, view.filters ?? []);
  return {
    stored: filters && storedOf(view, filters),
    patch: patchOf({ ...view, filters: filters ?? view.filters }, view.opened),
    words: wordsOf(view, filters ?? view.filters ?? []),
  };
}

function wordsOf(view: View, filters: NonNullable<View["filters"]>): string[] {
  const { period, from, to, traffic, compare, compare_from, compare_to } = view;
  const days =
    period === "custom" && from ? (to ? formatRange(from, to) : `since ${formatDate(from)}`) : PERIODS[period];
  const other = compare_from && compare_to ? formatRange(compare_from, compare_to) : COMPARISONS[compare].toLowerCase();
  const compared = compare === "none" ? [] : [`compared with ${other}`];
  return [days, TRAFFIC[traffic], ...compared, ...filters.map(sentenceOf)];
}
