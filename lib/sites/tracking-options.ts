import { msg } from "@/lib/texts/translate";
import type { Feature } from "@/lib/tracker/footfall";

/** What a snippet can be told to track by itself, by its name in `data-off`. */
export const AUTOMATIC = {
  links: { label: msg("Outbound links and downloads"), hint: msg("Clicks on links to other sites and to files.") },
  forms: {
    label: msg("Forms"),
    hint: msg("Forms that were submitted, by their id or name. What is typed is never sent."),
  },
  vitals: { label: msg("Web vitals"), hint: msg("How fast pages load, react and settle for visitors.") },
  search: { label: msg("Site search"), hint: msg("What visitors search for on the site.") },
  404: { label: msg("Pages that are not found"), hint: msg("Add data-404 to any element of your “not found” page.") },
} as const satisfies Record<Feature, { label: string; hint: string }>;
export const FEATURES = ["links", "forms", "vitals", "search", "404"] as const satisfies readonly Feature[];

/** The names of query parameters that a tag can hold: none of these characters ends an attribute, or is code. */
export const SEARCH_PARAMETER = /^[\w.[\]-]{1,50}$/;
export const MAX_SEARCH_PARAMETERS = 10;
/** Returns the names in a comma-separated list. */
export const searchNames = (text: string): string[] => text.split(",").flatMap((name) => name.trim() || []);

export interface TrackingOptions {
  /** Without any, the snippet loads the small script, which only counts pages. */
  automatic: readonly Feature[];
  /** Whether the hash is the route. */
  hash: boolean;
  /** The query parameters of the search; without any, the ones that sites usually have. */
  searchParameters: readonly string[];
}
export const PAGES_ONLY: TrackingOptions = { automatic: [], hash: false, searchParameters: [] };

/** Returns the file that the snippet loads. */
export const scriptOf = ({ automatic }: TrackingOptions): string =>
  automatic.length > 0 ? "script.full.js" : "script.js";

/** Returns the attributes of the tag; one without a value is an empty text. */
export function attributesOf(domain: string, options: TrackingOptions): [name: string, value: string][] {
  const { automatic, hash, searchParameters } = options;
  const off = FEATURES.filter((feature) => !automatic.includes(feature));
  const searches = automatic.includes("search") && searchParameters.length > 0;
  return [
    ["data-domain", domain],
    ...(hash ? ([["data-hash", ""]] as const) : []),
    ...(automatic.length > 0 && off.length > 0 ? ([["data-off", off.join(" ")]] as const) : []),
    ...(searches ? ([["data-search", searchParameters.join(" ")]] as const) : []),
  ].map(([name, value]) => [name, value]);
}
