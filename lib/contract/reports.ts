import { msg } from "@/lib/texts/translate";

/**
 * The reports with a page of their own, in menu order: what each one is about, on its page and in the docs, which say `more`. The
 * key is the last part of the page's path, the folder of its parts in `components/reports`, and what a saved dashboard calls it.
 */
export const REPORTS = {
  realtime: {
    name: msg("Realtime"),
    about: msg("Who is on the site now, and what they do."),
    more: "The last five and thirty minutes, and events as they arrive.",
  },
  changes: {
    name: msg("What changed"),
    about: msg("Which sources, pages, countries and devices explain how the numbers moved."),
    more: "What stands out comes first.",
  },
  campaigns: {
    name: msg("Campaigns"),
    about: msg("Which campaigns and channels bring visitors, conversions and revenue."),
  },
  seo: {
    name: msg("SEO"),
    about: msg("Visits that search engines and AI assistants bring, and the pages where they land."),
  },
  ai: {
    name: msg("AI traffic"),
    about: msg("What AI agents and search engines read of the site, and whom assistants send."),
  },
  events: { name: msg("Events"), about: msg("What visitors do beside viewing pages: sign-ups, downloads, orders.") },
  journeys: {
    name: msg("Journeys"),
    about: msg("The ways that visitors take through the site."),
    more: "All visits, step by step.",
  },
  retention: {
    name: msg("Retention"),
    about: msg("How many new visitors come back, and after how long."),
    more: "By day, week or month. It needs user ids, or the setting for returning visitors.",
  },
  heatmap: {
    name: msg("Busy hours"),
    about: msg("When visitors come: the busy and quiet hours of the week."),
    more: "It is about time, not about clicks.",
  },
  site_search: {
    name: msg("Site search"),
    about: msg("What visitors search for on the site, and whether they find it."),
  },
  funnels: {
    name: msg("Funnels"),
    about: msg("How many visitors take each step towards a goal, and where you lose them."),
    more: "See [Funnels](/docs/funnels).",
  },
  commerce: {
    name: msg("Commerce"),
    about: msg("What you sell, through which sources, and where buyers are lost."),
    more: "Revenue, orders, refunds and products.",
  },
  experiments: {
    name: msg("Experiments"),
    about: msg("Which variant of a page or feature converts better, and how sure that is."),
  },
  explore: {
    name: msg("Explore"),
    about: msg("Any metrics by any dimensions, as a table and a chart."),
    more: "By up to three dimensions.",
  },
  vitals: {
    name: msg("Web vitals"),
    about: msg("How fast your pages are for real visitors, and which ones to mend first."),
    more: "Core Web Vitals by page, device and country, with Google's thresholds. It needs the full tracker.",
  },
} as const satisfies Record<string, { name: string; about: string; more?: string }>;
export type ReportKey = keyof typeof REPORTS;

const ACQUISITION = msg("Acquisition");
const BEHAVIOUR = msg("Behaviour");
const CONVERSION = msg("Conversion");

/** The reports of the menu under a heading; those without one stand alone, before and after the groups. */
export const REPORT_GROUPS = {
  [ACQUISITION]: ["campaigns", "seo", "ai"],
  [BEHAVIOUR]: ["events", "journeys", "retention", "heatmap", "site_search"],
  [CONVERSION]: ["funnels", "commerce", "experiments"],
} as const satisfies Record<string, readonly ReportKey[]>;

export type PanelReport = Exclude<ReportKey, "explore">;
/** The reports that a dashboard can show. Explore says nothing before its reader has chosen something. */
export const PANEL_REPORTS = (Object.keys(REPORTS) as ReportKey[]).filter(
  (key): key is PanelReport => key !== "explore",
);
