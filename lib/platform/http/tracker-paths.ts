/** The builds of the tracker: the default script, the script with all automatic events, and the module. */
export const TRACKERS = ["script.js", "script.full.js", "footfall.mjs"];
export const TRACKER_PATHS: ReadonlySet<string> = new Set(TRACKERS.map((name) => `/${name}`));
