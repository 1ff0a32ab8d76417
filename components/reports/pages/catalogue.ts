/** Names of the reports in menu order; the key is the last part of their path. */
export const REPORTS = {
  realtime: "Realtime",
  events: "Events",
  campaigns: "Campaigns",
  commerce: "Commerce",
  experiments: "Experiments",
  search: "Site search",
  funnels: "Funnels",
  journeys: "Journeys",
  retention: "Retention",
  heatmap: "Heatmap",
  vitals: "Web vitals",
  seo: "SEO",
  explore: "Explore",
} as const;
export type ReportKey = keyof typeof REPORTS;

/** Search parameters that belong to a single report. */
const REPORT_PARAMS = [
  ...["metric", "interval", "event", "funnel", "edits", "start", "provider", "since"],
  ...["metrics", "dimensions", "sort", "limit", "page"],
];

/** Returns the query that all reports share: range, comparison, traffic, filters and segment. */
export function sharedQuery(query: URLSearchParams): string {
  const kept = new URLSearchParams(query);
  for (const key of REPORT_PARAMS) kept.delete(key);
  return kept.size > 0 ? `?${kept}` : "";
}
