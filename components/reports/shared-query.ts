/** The search parameters that a link to another report of the site keeps. The others belong to a single report. */
const SHARED = new Set([
  ...["period", "from", "to", "compare", "compare_from", "compare_to", "traffic", "filters", "segment"],
  // The way back to the dashboard.
  ...["panels", "opened"],
]);

/** Returns the query that all reports share: range, comparison, traffic, filters and segment. */
export function sharedQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([key]) => SHARED.has(key) || key.startsWith("filters["));
  return kept.length > 0 ? `?${new URLSearchParams(kept)}` : "";
}
