import type { PANELS } from "@/lib/analytics/reports/overview";
import { PANEL_REPORTS, type PanelReport, REPORTS } from "@/lib/contract/reports";
import type { DashboardPanel, FURTHER_PANELS } from "@/lib/sites/saved/dashboards";
import { msg } from "@/lib/texts/translate";

/** The panels of a dashboard and their order, as in its URL. An empty list means the default panels. */

/** Names of the panels, in the order of the dialog. */
export const PANEL_NAMES: Record<DashboardPanel, string> = {
  metrics: msg("Key metrics"),
  chart: msg("Chart"),
  sources: msg("Sources"),
  channels: msg("Channels"),
  utm_campaigns: msg("Campaigns by name"),
  utm_sources: msg("Campaigns by source"),
  utm_mediums: msg("Campaigns by medium"),
  pages: msg("Top pages"),
  entry_pages: msg("Entry pages"),
  exit_pages: msg("Exit pages"),
  countries: msg("Countries"),
  regions: msg("Regions"),
  cities: msg("Cities"),
  devices: msg("Devices"),
  browsers: msg("Browsers"),
  os: msg("Operating systems"),
  event_names: msg("Top events"),
  languages: msg("Languages"),
  screens: msg("Screens"),
  hostnames: msg("Hosts"),
  utm_terms: msg("Campaigns by term"),
  utm_contents: msg("Campaigns by content"),
  ...(Object.fromEntries(PANEL_REPORTS.map((key) => [key, REPORTS[key].name])) as Record<PanelReport, string>),
};
const ALL = Object.keys(PANEL_NAMES) as DashboardPanel[];

/** The initial selection of custom panels. */
export const FIRST_PANELS: DashboardPanel[] = ["metrics", "chart", "sources", "pages", "countries", "devices"];

/** Reads panels from a search parameter; unknown names are ignored. */
export const readPanels = (text: string | null): DashboardPanel[] =>
  [...new Set(text?.split(","))].filter((panel): panel is DashboardPanel => Object.hasOwn(PANEL_NAMES, panel));

/** Returns panels as a search parameter; null for the default panels. */
export const writePanels = (panels: readonly DashboardPanel[]): string | null => panels.join(",") || null;

export type SummaryPanel = "metrics" | "chart";
export type ListPanel = keyof typeof PANELS | keyof typeof FURTHER_PANELS;

/** A row of the dashboard: one card of metrics and chart, lists side by side, or a full report. */
export type Block =
  | { kind: "summary"; panels: SummaryPanel[] }
  | { kind: "lists"; panels: ListPanel[] }
  | { kind: "report"; panels: [PanelReport] };

const SUMMARY: readonly DashboardPanel[] = ["metrics", "chart"];
const kindOf = (panel: DashboardPanel): Block["kind"] =>
  SUMMARY.includes(panel) ? "summary" : panel in REPORTS ? "report" : "lists";

/** Returns whether any list of the overview is shown. */
export const hasLists = (panels: readonly DashboardPanel[]): boolean =>
  panels.length === 0 || panels.some((panel) => kindOf(panel) === "lists");

/** Returns whether any full report is shown. */
export const hasReports = (panels: readonly DashboardPanel[]): boolean =>
  panels.some((panel) => kindOf(panel) === "report");

/** Groups consecutive panels that share a row or a card, without changing their order. */
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

/** Moves an item one position up (-1) or down (1). At the end of the list it stays. */
export function movedBy<T>(list: readonly T[], item: T, step: 1 | -1): T[] {
  const from = list.indexOf(item);
  const to = from + step;
  const other = list[to];
  if (from < 0 || other === undefined) return [...list];
  return list.map((one, index) => (index === to ? item : index === from ? other : one));
}

/** Returns the chosen panels in their order, followed by the others. */
export const inOrder = (chosen: readonly DashboardPanel[]): DashboardPanel[] => [
  ...chosen,
  ...ALL.filter((panel) => !chosen.includes(panel)),
];
