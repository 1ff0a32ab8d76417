/** The tracker's forms: what most pages carry, with every automatic event, and as a module. */
export const TRACKERS = ["script.js", "script.full.js", "footfall.mjs"];
export const TRACKER_PATHS: ReadonlySet<string> = new Set(TRACKERS.map((name) => `/${name}`));
