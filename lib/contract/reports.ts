/**
 * The reports with a page of their own, in menu order: `key: name`. The key is the last part of the page's path, the folder of
 * its parts in `components/reports`, and what a saved dashboard calls it.
 */
export const REPORTS = {
  realtime: "Realtime",
  changes: "What changed",
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
  ai: "AI traffic",
  explore: "Explore",
} as const;
export type ReportKey = keyof typeof REPORTS;

export type PanelReport = Exclude<ReportKey, "explore">;
/** The reports that a dashboard can show. Explore says nothing before its reader has chosen something. */
export const PANEL_REPORTS = (Object.keys(REPORTS) as ReportKey[]).filter(
  (key): key is PanelReport => key !== "explore",
);
