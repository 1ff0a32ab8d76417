import { msg } from "@/lib/texts/translate";

/**
 * The reports with a page of their own, in menu order. The key is the last part of the page's path, the folder of its parts in
 * `components/reports`, and what a saved dashboard calls it.
 */
export const REPORTS = {
  realtime: { name: msg("Realtime") },
  changes: { name: msg("What changed") },
  campaigns: { name: msg("Campaigns") },
  seo: { name: msg("SEO") },
  ai: { name: msg("AI traffic") },
  events: { name: msg("Events") },
  journeys: { name: msg("Journeys") },
  retention: { name: msg("Retention") },
  heatmap: { name: msg("Busy hours") },
  site_search: { name: msg("Site search") },
  funnels: { name: msg("Funnels") },
  commerce: { name: msg("Commerce") },
  experiments: { name: msg("Experiments") },
  explore: { name: msg("Explore") },
  vitals: { name: msg("Web vitals") },
} as const satisfies Record<string, { name: string }>;
export type ReportKey = keyof typeof REPORTS;

const ACQUISITION = msg("Acquisition");
const BEHAVIOUR = msg("Behaviour");
const CONVERSION = msg("Conversion");

/** The reports of the menu under a heading; those without one stand alone, before and after the groups. */
export const REPORT_GROUPS = {
  [ACQUISITION]: ["campaigns", "seo", "ai"],
  [BEHAVIOUR]: ["events", "journeys", "retention", "heatmap", "site_search"],
  [CONVERSION]: ["funnels", "commerce", "experiments"],
} as const satisfies Record<string, readonly ReportKey[]>;

export type PanelReport = Exclude<ReportKey, "explore">;
/** The reports that a dashboard can show. Explore says nothing before its reader has chosen something. */
export const PANEL_REPORTS = (Object.keys(REPORTS) as ReportKey[]).filter(
  (key): key is PanelReport => key !== "explore",
);
