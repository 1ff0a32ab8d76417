import { sentenceOf } from "@/components/reports/filter-words";
import { paramsOf, writeFilters } from "@/components/reports/filters";
import { formatRange } from "@/components/reports/format";
import type { Segment } from "@/components/reports/segment-picker";
import { addressOf, readView, type SearchParams, type View } from "@/components/reports/view";
import type { SavedDashboard, Saving } from "@/components/saved/dashboard-picker";
import { isSameView, joined, patchOf, storedOf, viewOf } from "@/components/saved/kept";
import { COMPARISONS, PERIODS } from "@/lib/contract/fields";
import { TRAFFIC } from "@/lib/contract/vocabulary";
import { listDashboards } from "@/lib/sites/saved/dashboards";
import { makersOf } from "@/lib/sites/saved/makers";

/** A site's saved views, what each shows in words, and where it is opened. */
export async function dashboardsOf(siteId: number, readerId: number, now: View): Promise<SavedDashboard[]> {
  const [saved, makerOf] = await Promise.all([listDashboards(siteId), makersOf(siteId, readerId)]);
  return saved.map((one) => {
    const view = viewOf(one);
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

/**
 * The whole address of a saved view for one that only names it, as an agent's link does, together with whatever else it
 * says; null for one that says all. Those of our own pages always say what they compare with.
 */
export function wholeAddress(path: string, asked: SearchParams, view: View, saved: SavedDashboard[]): string | null {
  const meant = saved.find(({ id }) => id === view.dashboard);
  if (!meant || asked.compare !== undefined) return null;
  const kept = Object.entries(meant.patch).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  const ownRange = ["period", "from", "to"].some((key) => asked[key] !== undefined);
  const own = readView(paramsOf(new URLSearchParams(kept.map(([key, value]) => [key, value])))).filters ?? [];
  const filters = view.filters && joined(own, view.filters);
  return addressOf(path, {
    ...Object.fromEntries(kept.filter(([key]) => !(ownRange && ["period", "from", "to"].includes(key)))),
    ...Object.fromEntries(Object.entries(asked).filter(([key]) => !(filters && key.startsWith("filters")))),
    ...(filters ? { filters: writeFilters(filters) ?? undefined } : {}),
  });
}

/** What would be saved of a view, with its segment as the filters that it is. */
export function savingOf(view: View, segments: Segment[]): Saving {
  const segment = segments.find(({ id }) => id === view.segment)?.filters ?? [];
  const filters = joined(segment, view.filters ?? []);
  return {
    stored: filters && storedOf(view, filters),
    patch: patchOf({ ...view, filters: filters ?? view.filters }, view.dashboard),
    words: wordsOf(view, filters ?? view.filters ?? []),
  };
}

function wordsOf({ period, from, to, traffic, compare }: View, filters: NonNullable<View["filters"]>): string[] {
  const days = period === "custom" && from ? (to ? formatRange(from, to) : `since ${from}`) : PERIODS[period];
  const compared = compare === "none" ? [] : [`beside ${COMPARISONS[compare].toLowerCase()}`];
  return [days, TRAFFIC[traffic], ...compared, ...filters.map(sentenceOf)];
}
