import { filtersOfQuery, namedBy, paramsOf, writeFilters } from "@/components/reports/filters";

/** The search parameters that say which numbers are shown, and mean the same on every site. */
const OF_ANY_SITE = ["period", "from", "to", "compare", "compare_from", "compare_to", "traffic", "filters"];

/** The search parameters that a link to another report of the site keeps. The others belong to a single report. */
const SHARED = new Set([
  ...OF_ANY_SITE,
  "segment",
  // The way back to the dashboard, and to the range before a zoom.
  ...["goal", "attribution", "panels", "opened", "zoomed"],
]);

const ofFilters = (key: string) => key.startsWith("filters[");

/** Returns the query that all reports share: range, comparison, traffic, filters and segment. */
export function sharedQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([key]) => SHARED.has(key) || ofFilters(key));
  return kept.length > 0 ? `?${new URLSearchParams(kept)}` : "";
}

/** The dimensions whose values are those of one site: its pages and names. */
const OF_ONE_SITE = new Set(["page", "entry_page", "exit_page", "hostname", "title", "event", "product"]);

/**
 * Returns the query that a link to another site keeps: range, comparison, traffic, and the filters that can mean the
 * same there. Goals, properties, products, pages, events and segments belong to their site.
 */
export function queryForOtherSite(query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([key]) => OF_ANY_SITE.includes(key) && key !== "filters"));
  const filters = (filtersOfQuery(paramsOf(query)) ?? []).filter(
    ({ key }) => namedBy(key).kind === null && !OF_ONE_SITE.has(key),
  );
  const written = writeFilters(filters);
  if (written !== null) kept.set("filters", written);
  return kept.size > 0 ? `?${kept}` : "";
}
