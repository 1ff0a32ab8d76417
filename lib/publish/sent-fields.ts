/** The trackers that ours is compared with: what was read, and of which day it is. */
export const COMPARED = {
  plausible: { tracker: "@plausible-analytics/tracker 0.4.6", dated: "2026-08-10" },
  umami: { tracker: "Umami 3.1.0", dated: "2026-11-20" },
} as const;

/**
 * What the tracker sends, field by field, beside what two others send. A story captures what a real page sends and
 * compares it with `ours`, both ways: this table cannot tell of a field that is not sent, nor leave one out that is.
 */
export interface SentField {
  what: string;
  /** Our fields, with a dot where one stands within another. */
  ours: readonly string[];
  plausible: string;
  umami: string;
}

export const SENT_FIELDS: readonly SentField[] = [
  { what: "Site", ours: ["domain"], plausible: "d", umami: "website" },
  { what: "Kind and name of the event", ours: ["name"], plausible: "n", umami: "type, name" },
  {
    what: "Address of the page; ours without what follows the #",
    ours: ["url"],
    plausible: "u",
    umami: "url, hostname",
  },
  { what: "Route behind the #, with data-hash", ours: ["path"], plausible: "u, h", umami: "url" },
  { what: "Title of the page", ours: ["title"], plausible: "", umami: "title" },
  { what: "Address of the page before; ours once per document", ours: ["referrer"], plausible: "r", umami: "referrer" },
  { what: "Language of the browser", ours: ["language"], plausible: "", umami: "language" },
  {
    what: "Width: ours of the window, Umami's of the screen and its height",
    ours: ["screen"],
    plausible: "",
    umami: "screen",
  },
  { what: "Properties that the page gives", ours: ["props"], plausible: "p", umami: "data, tag" },
  {
    what: "Revenue that the page gives",
    ours: ["revenue.amount", "revenue.currency"],
    plausible: "$",
    umami: "within data",
  },
  { what: "Whether the event ends a bounce", ours: ["interactive"], plausible: "i", umami: "" },
  { what: "Id of a person, once the page gives one", ours: ["user_id"], plausible: "", umami: "id" },
  {
    what: "Random id of the event, so that one sent again is counted once",
    ours: ["event_id"],
    plausible: "",
    umami: "",
  },
  { what: "Time somebody looked at the page", ours: ["engagement.ms"], plausible: "e", umami: "" },
  { what: "How far the page was scrolled", ours: ["engagement.scroll"], plausible: "sd", umami: "" },
  {
    what: "Web vitals: ours of the page's whole life, with a random number for each view of it; Umami's of its first seconds",
    ours: ["vitals.view", "vitals.lcp", "vitals.inp", "vitals.cls", "vitals.fcp", "vitals.ttfb"],
    plausible: "",
    umami: "lcp, inp, cls, fcp, ttfb",
  },
  {
    what: "Variant of an experiment that was shown",
    ours: ["exposure.experiment", "exposure.variant"],
    plausible: "",
    umami: "",
  },
  { what: "Whether this is the owner's own browser", ours: ["own"], plausible: "", umami: "" },
  {
    what: "Whether a program drives the browser; Plausible sends nothing then",
    ours: ["automated"],
    plausible: "",
    umami: "",
  },
  { what: "Version of the tracker", ours: [], plausible: "v", umami: "" },
  { what: "Token that ties the events of a document together", ours: [], plausible: "", umami: "x-umami-cache" },
];
