/**
 * The reports with a page of their own, in menu order: `key: name`. The key is the last part of the page's path, the folder of
 * its parts in `components/reports`, and what a saved dashboard calls it.
 */
export const REPORTS = {
  realtime: "Realtime",
  changes: "What changed",
  campaigns: "Campaigns",
  seo: "SEO",
  ai: "AI traffic",
  events: "Events",
  journeys: "Journeys",
  retention: "Retention",
  heatmap: "Busy hours",
  site_search: "Site search",
  funnels: "Funnels",
  commerce: "Commerce",
  experiments: "Experiments",
  vitals: "Web vitals",
  explore: "Explore",
} as const;
export type ReportKey = keyof typeof REPORTS;

/** The reports of the menu under a heading; those without one stand alone, before and after the groups. */
export const REPORT_GROUPS = {
  Acquisition: ["campaigns", "seo", "ai"],
  Behaviour: ["events", "journeys", "retention", "heatmap", "site_search"],
  Conversion: ["funnels", "commerce", "experiments"],
} as const satisfies Record<string, readonly ReportKey[]>;

export type PanelReport = Exclude<ReportKey, "explore">;
/** The reports that a dashboard can show. Explore says nothing before its reader has chosen something. */
export const PANEL_REPORTS = (Object.keys(REPORTS) as ReportKey[]).filter(
  (key): key is PanelReport => key !== "explore",
);
