/** The builds of the tracker: the default script, the script with all automatic events, the module, and that for Umami's tag. */
export const TRACKERS = ["script.js", "script.full.js", "footfall.mjs", "umami.js"];
export const TRACKER_PATHS: ReadonlySet<string> = new Set(TRACKERS.map((name) => `/${name}`));

/** The extensions of Plausible's script that may be in its name, in any combination. */
const EXTENSIONS = [
  ...["hash", "outbound-links", "file-downloads", "tagged-events", "revenue", "pageview-props", "manual", "local"],
  ...["exclusions", "compat", "pageleave"],
];
const NAMED = new RegExp(`^/js/(?:script|plausible|analytics)((?:\\.(?:${EXTENSIONS.join("|")}))*)\\.js$`);
const CONFIGURED = /^\/js\/(pa-[A-Za-z0-9._-]{1,100}\.js)$/;

/**
 * Returns the name by which Plausible's script at a path knows what to do, or null for any other path. Names with the same
 * extensions are one.
 */
export function plausibleName(path: string): string | null {
  if (!path.startsWith("/js/")) return null;
  const configured = CONFIGURED.exec(path)?.[1];
  if (configured) return configured;
  const extensions = NAMED.exec(path)?.[1];
  return extensions === undefined
    ? null
    : ["script", ...new Set(extensions.split(".").filter(Boolean).sort()), "js"].join(".");
}

export const isTrackerPath = (path: string): boolean => TRACKER_PATHS.has(path) || plausibleName(path) !== null;

/** What `public/plausible.js` has in place of its name: see `lib/tracker/foreign/plausible.ts`. */
export const NAME_PLACE = "__FOOTFALL_SCRIPT_NAME__";
