/** The reports of a site in the order of its menu, with what they are called there; the key is their address. */
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

/** What an address says of one report alone. */
const OF_ONE_REPORT = [
  ...["metric", "interval", "event", "funnel", "edits", "start", "provider", "since"],
  ...["metrics", "dimensions", "sort", "limit", "page"],
];

/** What a view takes along from one report to another: the days, the comparison, the traffic and whatever narrows them. */
export function sharedQuery(query: URLSearchParams): string {
  const kept = new URLSearchParams(query);
  for (const key of OF_ONE_REPORT) kept.delete(key);
  return kept.size > 0 ? `?${kept}` : "";
}
