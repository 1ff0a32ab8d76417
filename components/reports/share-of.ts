import { PANEL_NAMES } from "@/components/reports/dashboard-panels";
import { describeFilter } from "@/components/reports/filter-text";
import type { SearchParams } from "@/components/reports/filters";
import { joinFilters } from "@/components/reports/saved-dashboard";
import type { Segment } from "@/components/reports/segment-picker";
import type { ShareProps } from "@/components/reports/share-dialog";
import { shownDays } from "@/components/reports/stepping";
import { addressOf, type View } from "@/components/reports/view";
import { formatRange } from "@/components/ui/format";
import { manages } from "@/lib/contract/access";
import type { SiteShape } from "@/lib/contract/fields";
import { REPORTS } from "@/lib/contract/reports";
import { PERIODS } from "@/lib/contract/vocabulary";
import { goalIsShown, LOOKS_BACK, SHARED_PANELS, SHARED_REPORTS, type SharedReport } from "@/lib/sites/share-limits";
import { msg, t } from "@/lib/texts/translate";

/** The parameters that readers of a link may send, besides those that its limits have. */
const OF_DASHBOARD = ["traffic", "interval"];
const OF_REPORT = ["traffic", "event", "provider", "metric", "attribution"];

interface Shown {
  site: Pick<SiteShape, "site_id" | "role">;
  view: View;
  /** The search parameters of the page. */
  query: SearchParams;
  segments: readonly Segment[];
  /** First day with possible data, and the current day of the site. */
  since: string;
  today: string;
  /** The report of the page; null for the dashboard. */
  report: string | null;
  /** The goal whose conversions the report shows. */
  goal?: string | null;
}

/** Returns what a link to a view shows; null where the reader may not share, or no link can show the view. */
export function shareOf({ site, view, query, segments, report, goal, ...bounds }: Shown): ShareProps | null {
  const filters = filtersOf(view, segments);
  const parts = report === null ? partsOf(view) : { dashboard: false, panels: [], reports: oneOf(report) };
  if (!manages(site.role) || !filters || (!parts.dashboard && parts.reports.length === 0)) return null;
  const isFree =
    view.period === "all" ||
    (report !== null && view.attribution !== null) ||
    parts.reports.some((key) => LOOKS_BACK.has(key));
  const { from, to } = shownDays(view, bounds);
  const range = view.period === "custom" ? { from, to } : { period: view.period };
  const segment = filters.length === 0 ? view.segment : null;
  const names = [...(parts.dashboard ? [t("Dashboard")] : []), ...parts.reports.map((key) => t(REPORTS[key].name))];
  const days = view.period === "custom" ? formatRange(from, to) : t(PERIODS[view.period]);
  const asksGoal = parts.reports.some(goalIsShown);
  const keys = report === null ? OF_DASHBOARD : [...OF_REPORT, ...(asksGoal ? ["goal"] : [])];
  const kept = Object.entries(query).filter(([key]) => keys.includes(key));
  return {
    part: { site_id: site.site_id, ...parts, ...(!isFree && (range as object)), ...(segment && { segment }) },
    query: addressOf("", { ...Object.fromEntries(kept), ...(isFree && range) }),
    filters,
    sentences: [
      names.join(", "),
      isFree ? t("{days}, and any other period", { days }) : days,
      ...segments.filter(({ id }) => id === segment).map(({ name }) => t("Only {segment}", { segment: name })),
      ...filters.map(describeFilter),
      ...(goal && !asksGoal ? [t("Conversions of any goal, not only of “{goal}”", { goal })] : []),
    ],
    hidden: hiddenOf(report === null ? view.panels : [], parts),
  };
}

const oneOf = (report: string): SharedReport[] => SHARED_REPORTS.filter((key) => key === report);

/** The panels and reports of a dashboard that links can show. */
function partsOf({ panels }: View) {
  const reports = SHARED_REPORTS.filter((key) => panels.some((panel) => panel === key));
  const shown = SHARED_PANELS.filter((key) =>
    panels.some((panel) => panel === key || (key === "metrics" && panel === "chart")),
  );
  return { dashboard: panels.length === 0 || shown.length > 0, panels: shown, reports };
}

/** What single reports keep to members of the site. */
const KEPT_BACK: Partial<Record<SharedReport, string>> = {
  changes: msg("Annotations, incidents and alerts are not shown."),
  seo: msg("Search queries and positions of Google and Bing are not shown."),
};

/** Returns what of the view readers of its link do not see. */
function hiddenOf(panels: View["panels"], { dashboard, panels: shown, reports }: ReturnType<typeof partsOf>): string[] {
  const kept: readonly string[] = [...shown, ...reports, ...(shown.includes("metrics") ? ["chart"] : [])];
  const left = panels.filter((panel) => !kept.includes(panel)).map((panel) => t(PANEL_NAMES[panel]));
  return [
    ...(dashboard ? [t("Conversions and goals are not shown.")] : []),
    ...(dashboard && panels.length === 0
      ? [t("Lists of campaigns, events, languages, screens and hosts are not shown.")]
      : []),
    ...(left.length > 0 ? [t("These panels are left out: {names}.", { names: left.join(", ") })] : []),
    ...reports.flatMap((key) => KEPT_BACK[key] ?? []).map((sentence) => t(sentence)),
    ...(dashboard ? [t("Realtime, Explore and a single funnel cannot be shared.")] : []),
  ];
}

/** The filters that the link needs a segment for: those of the view, with those of its segment. */
function filtersOf({ filters, segment }: View, segments: readonly Segment[]) {
  if (!filters || filters.length === 0 || segment === null) return filters;
  const saved = segments.find(({ id }) => id === segment);
  return saved ? joinFilters(saved.filters, filters) : null;
}
