import { namedFilters } from "@/app/_dashboard/named-filters";
import type { QueryContext } from "@/app/_dashboard/queries";
import type { SavableView, SavedDashboard } from "@/components/reports/dashboard-picker";
import type { CreatorOf } from "@/components/reports/definition";
import { describeFilter } from "@/components/reports/filter-text";
import { writeFilters } from "@/components/reports/filters";
import {
  combineFilters,
  isSameSaved,
  joinFilters,
  type Opened,
  patchOf,
  questionPatch,
  storedOf,
  viewOf,
} from "@/components/reports/saved-dashboard";
import type { Segment } from "@/components/reports/segment-picker";
import { addressOf, readView, type SearchParams, type View } from "@/components/reports/view";
import { formatDate, formatRange } from "@/components/ui/format";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import type { Owner } from "@/lib/contract/define";
import type { Comparison } from "@/lib/contract/fields";
import { MEASURES, type Measure, PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import sitesDashboardsList from "@/lib/operations/sites.dashboards.list";
import { inSentence } from "@/lib/texts/in-sentence";
import { msg, t } from "@/lib/texts/translate";
import { query } from "../../access";

/** Saved dashboards of a site with a description of each. @param current what is open */
export async function dashboardsOf(
  owner: Owner,
  context: QueryContext,
  creators: Promise<CreatorOf>,
  current: Opened,
): Promise<SavedDashboard[]> {
  const [{ dashboards }, creatorOf] = await Promise.all([
    query(sitesDashboardsList, owner, { site_id: context.siteId }, context.now),
    creators,
  ]);
  return Promise.all(
    dashboards.map(async (one) => {
      const opened = { view: viewOf(one), question: one.explore };
      const filters = await namedFilters(context, opened.view.filters ?? []);
      return {
        id: one.id,
        name: one.name,
        about: describeOpened(opened, filters).join(", "),
        maker: creatorOf(one.created_by),
        patch: { ...patchOf(opened.view, one.id), ...questionPatch(one.explore) },
        changed: !isSameSaved(opened, current),
        explores: one.explore !== null,
      };
    }),
  );
}

/** Groups of parameters: one in the URL replaces the whole group of the dashboard. */
const TOGETHER = [
  ["period", "from", "to"],
  ["compare", "compare_from", "compare_to"],
];

/**
 * Expands `dashboard=<id>` in a URL to the parameters of the saved dashboard. Filters of both are AND-ed; other parameters
 * of the URL win. If the filters cannot be combined, only the URL's remain and the view is not marked as open.
 *
 * @returns null if the URL names no saved dashboard, as the links of our own pages, which hold the whole view
 */
export function expandDashboardUrl(
  path: string,
  params: SearchParams,
  view: View,
  saved: SavedDashboard[],
): string | null {
  const dashboard = saved.find(({ id }) => id === params.dashboard);
  if (!dashboard) return null;
  const savedParams = Object.fromEntries(
    Object.entries(dashboard.patch).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
  const filters = view.filters && combineFilters(readView(savedParams).filters ?? [], view.filters);
  const replaced = TOGETHER.filter((keys) => keys.some((key) => params[key] !== undefined)).flat();
  const isKept = (key: string) => key !== "filters" && !replaced.includes(key) && (filters || key !== "opened");
  const isOwn = (key: string) => key !== "dashboard" && !(filters && key.startsWith("filters"));
  return addressOf(dashboard.explores ? `${path}/reports/explore` : path, {
    ...Object.fromEntries(Object.entries(savedParams).filter(([key]) => isKept(key))),
    ...Object.fromEntries(Object.entries(params).filter(([key]) => isOwn(key))),
    ...(filters && { filters: writeFilters(filters) ?? undefined }),
  });
}

/** The form of what is open that can be saved: its segment is replaced by the segment's filters. @param goals names of the site's goals */
export function savableView(
  { view: shown, question }: Opened,
  segments: Segment[],
  goals: readonly string[],
): SavableView {
  const view = { ...shown, goal: goals.find((name) => name === shown.goal) ?? null };
  const segment = segments.find(({ id }) => id === view.segment)?.filters ?? [];
  const filters = joinFilters(segment, view.filters ?? []);
  return {
    stored: filters && { ...storedOf(view, filters), explore: question, ...(question && { panels: [] }) },
    patch: { ...patchOf({ ...view, filters: filters ?? view.filters }, view.opened), ...questionPatch(question) },
    words: describeOpened({ view, question }, filters ?? view.filters ?? []),
  };
}

const COMPARED: Record<Exclude<Comparison, "none">, string> = {
  previous_period: msg("compared with previous period"),
  year_over_year: msg("compared with year over year"),
};

/** Describes what is open in parts, a question by its metrics and dimensions first. */
function describeOpened({ view, question }: Opened, filters: NonNullable<View["filters"]>): string[] {
  const names = (list: string | null) => list?.split(",").filter(Boolean) ?? [];
  const metrics = names(question?.metrics ?? null).map((key) => (isMeasure(key) ? t(MEASURES[key].label) : key));
  const dimensions = names(question?.dimensions ?? null).map((key) =>
    isDimension(key) ? inSentence(t(DIMENSIONS[key].label)) : key.replace("prop:", ""),
  );
  return [
    ...metrics,
    ...(dimensions.length > 0 ? [t("by {dimension}", { dimension: dimensions.join(", ") })] : []),
    ...describeView(view, filters),
  ];
}

const isMeasure = (key: string): key is Measure => Object.hasOwn(MEASURES, key);

function describeView(view: View, filters: NonNullable<View["filters"]>): string[] {
  const { period, from, to, traffic, compare, compare_from, compare_to, goal, attribution } = view;
  const days =
    period === "custom" && from
      ? to
        ? formatRange(from, to)
        : t("since {day}", { day: formatDate(from) })
      : t(PERIODS[period]);
  const compared =
    compare_from && compare_to
      ? t("compared with {days}", { days: formatRange(compare_from, compare_to) })
      : t(COMPARED[compare === "none" ? "previous_period" : compare]);
  return [
    ...[days, t(TRAFFIC[traffic]), ...(compare === "none" ? [] : [compared]), ...filters.map(describeFilter)],
    ...(goal === null ? [] : [t("conversions of {goal}", { goal })]),
    ...(attribution === null ? [] : [t("first touch")]),
  ];
}
