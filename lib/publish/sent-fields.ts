/** The trackers that ours is compared with: the version that was read, and its date. */
export const COMPARED = {
  plausible: { tracker: "@plausible-analytics/tracker 0.4.6", dated: "2026-08-10" },
  umami: { tracker: "Umami 3.1.0", dated: "2026-11-20" },
} as const;

/**
 * What the tracker sends, field by field, beside what two others send. An end-to-end test compares `ours` with the
 * requests of a real page in both directions.
 */
export interface SentField {
  what: string;
  /** Our fields, with a dot for nested ones. */
  ours: readonly string[];
  /** The fields of the others, if they send any. */
  plausible?: string;
  umami?: string;
}

export const SENT_FIELDS: readonly SentField[] = [
  { what: "Site", ours: ["domain"], plausible: "d", umami: "website" },
  { what: "Type and name of the event", ours: ["name"], plausible: "n", umami: "type, name" },
  { what: "URL of the page; ours without the part after the #", ours: ["url"], plausible: "u", umami: "url, hostname" },
  { what: "Route after the #, with data-hash; path, with data-query", ours: ["path"], plausible: "u, h", umami: "url" },
  { what: "Page title", ours: ["title"], umami: "title" },
  { what: "Referrer; ours once per document", ours: ["referrer"], plausible: "r", umami: "referrer" },
  { what: "Browser language", ours: ["language"], umami: "language" },
  {
    what: "Width of the window (Footfall) or width and height of the screen (Umami)",
    ours: ["screen"],
    umami: "screen",
  },
  { what: "Properties set by the page", ours: ["props"], plausible: "p", umami: "data, tag" },
  { what: "Revenue set by the page", ours: ["revenue.amount", "revenue.currency"], plausible: "$", umami: "in data" },
  { what: "Whether the event ends a bounce", ours: ["interactive"], plausible: "i" },
  { what: "User id, once the page sets one", ours: ["user_id"], umami: "id" },
  { what: "Random event id, so that a repeated event counts once", ours: ["event_id"] },
  { what: "Time the page was read", ours: ["engagement.ms"], plausible: "e" },
  { what: "Scroll depth", ours: ["engagement.scroll"], plausible: "sd" },
  {
    what: "Web vitals: of the whole page view, with a random number for each view (Footfall), or of its first seconds (Umami)",
    ours: ["vitals.view", "vitals.lcp", "vitals.inp", "vitals.cls", "vitals.fcp", "vitals.ttfb"],
    umami: "lcp, inp, cls, fcp, ttfb",
  },
  { what: "Experiment variant that was shown", ours: ["exposure.experiment", "exposure.variant"] },
  { what: "Whether this is the browser of the site's owner", ours: ["own"] },
  { what: "Whether a program controls the browser; Plausible then sends nothing", ours: ["automated"] },
  { what: "Tracker version", ours: [], plausible: "v" },
  { what: "Token that connects the events of a document", ours: [], umami: "x-umami-cache" },
];
