/** The tracker's forms: what most pages carry, with every automatic event, and as a module. */
export const TRACKERS = ["script.js", "script.full.js", "footfall.mjs"];
