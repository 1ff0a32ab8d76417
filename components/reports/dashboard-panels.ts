import type { PANELS } from "@/lib/analytics/reports/overview";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";

/** Which panels a dashboard shows and in which order, as its address says it; none are the usual ones. */

/** What each panel is called, in the order in which they are offered. */
export const PANEL_NAMES: Record<DashboardPanel, string> = {
  metrics: "Headline numbers",
  chart: "Chart",
  sources: "Sources",
  channels: "Channels",
  utm_campaigns: "Campaigns by name",
  utm_sources: "Campaigns by source",
  utm_mediums: "Campaigns by medium",
  pages: "Top pages",
  entry_pages: "Entry pages",
  exit_pages: "Exit pages",
  countries: "Countries",
  regions: "Regions",
  cities: "Cities",
  devices: "Devices",
  browsers: "Browsers",
  os: "Systems",
  event_names: "Top events",
  realtime: "Realtime",
  events: "Events",
  campaigns: "Campaigns",
  commerce: "Commerce",
  experiments: "Experiments",
  site_search: "Site search",
  funnels: "Funnels",
  journeys: "Journeys",
  retention: "Retention",
  heatmap: "Heatmap",
  vitals: "Web vitals",
  seo: "SEO",
};
const ALL = Object.keys(PANEL_NAMES) as DashboardPanel[];

/** What panels of one's own begin with. */
export const FIRST_PANELS: DashboardPanel[] = ["metrics", "chart", "sources", "pages", "countries", "devices"];

/** The panels that an address names; what it does not understand is left out. */
export const readPanels = (text: string | null): DashboardPanel[] =>
  [...new Set(text?.split(","))].filter((panel): panel is DashboardPanel => Object.hasOwn(PANEL_NAMES, panel));

/** The same as the parameter of an address; null for the usual ones. */
export const writePanels = (panels: readonly DashboardPanel[]): string | null => panels.join(",") || null;

export type SummaryPanel = "metrics" | "chart";
export type ListPanel = keyof typeof PANELS;
export type ReportPanel = Exclude<DashboardPanel, SummaryPanel | ListPanel>;

/** What stands below each other: one card of numbers and chart, lists side by side, a whole report. */
export type Block =
  | { kind: "summary"; panels: SummaryPanel[] }
  | { kind: "lists"; panels: ListPanel[] }
  | { kind: "report"; panels: [ReportPanel] };

const SUMMARY: readonly DashboardPanel[] = ["metrics", "chart"];
const REPORTS: readonly DashboardPanel[] = [
  ...(["realtime", "events", "campaigns", "commerce", "experiments", "site_search"] as const),
  ...(["funnels", "journeys", "retention", "heatmap", "vitals", "seo"] as const),
];
const kindOf = (panel: DashboardPanel): Block["kind"] =>
  SUMMARY.includes(panel) ? "summary" : REPORTS.includes(panel) ? "report" : "lists";

/** Whether any of the overview's lists are shown. */
export const hasLists = (panels: readonly DashboardPanel[]): boolean =>
  panels.length === 0 || panels.some((panel) => kindOf(panel) === "lists");

/** Whether whole reports are shown. */
export const hasReports = (panels: readonly DashboardPanel[]): boolean =>
  panels.some((panel) => kindOf(panel) === "report");

/** Panels that follow each other and can share a row or a card, together; the order stays what it is. */
export function blocksOf(panels: readonly DashboardPanel[]): Block[] {
  const blocks: { kind: Block["kind"]; panels: DashboardPanel[] }[] = [];
  for (const panel of panels) {
    const kind = kindOf(panel);
    const last = blocks.at(-1);
    const joins = last?.kind === kind && (kind === "lists" || (kind === "summary" && panel === "chart"));
    if (joins) last.panels.push(panel);
    else blocks.push({ kind, panels: [panel] });
  }
  return blocks as Block[];
}

/** A panel one place up (-1) or down (1); at the end of its list it stays. */
export function moved<T>(list: readonly T[], item: T, step: 1 | -1): T[] {
  const from = list.indexOf(item);
  const to = from + step;
  const other = list[to];
  if (from < 0 || other === undefined) return [...list];
  return list.map((one, place) => (place === to ? item : place === from ? other : one));
}

/** The panels that are chosen in their order, then the others as they are offered. */
export const inOrder = (chosen: readonly DashboardPanel[]): DashboardPanel[] => [
  ...chosen,
  ...ALL.filter((panel) => !chosen.includes(panel)),
];
