import type { ReportKey } from "@/lib/contract/reports";
import { msg } from "@/lib/texts/translate";

/** What each report is about, on its page and in the docs, which say `more`. Apart from the names, which every page loads. */
export const REPORT_TEXTS: Readonly<Record<ReportKey, { about: string; more?: string }>> = {
  realtime: {
    about: msg("Who is on the site now, and what they do."),
    more: "The last five and thirty minutes, and events as they arrive.",
  },
  changes: {
    about: msg("Which sources, pages, countries and devices explain how the numbers moved."),
    more: "What stands out comes first.",
  },
  campaigns: {
    about: msg("Which campaigns and channels bring visitors, conversions and revenue."),
  },
  seo: {
    about: msg("Visits that search engines and AI assistants bring, and the pages where they land."),
  },
  ai: {
    about: msg("What AI agents and search engines read of the site, and whom assistants send."),
  },
  events: {
    about: msg("What visitors do beside viewing pages: sign-ups, downloads, orders."),
  },
  journeys: {
    about: msg("The ways that visitors take through the site."),
    more: "All visits, step by step.",
  },
  retention: {
    about: msg("How many new visitors come back, and after how long."),
    more: "By day, week or month. It needs user ids, or the setting for returning visitors.",
  },
  heatmap: {
    about: msg("When visitors come: the busy and quiet hours of the week."),
    more: "It is about time, not about clicks.",
  },
  site_search: {
    about: msg("What visitors search for on the site, and whether they find it."),
  },
  funnels: {
    about: msg("How many visitors take each step towards a goal, and where you lose them."),
    more: "See [Funnels](/docs/funnels).",
  },
  commerce: {
    about: msg("What you sell, through which sources, and where buyers are lost."),
    more: "Revenue, orders, refunds and products.",
  },
  experiments: {
    about: msg("Which variant of a page or feature converts better, and how sure that is."),
  },
  explore: {
    about: msg("Any metrics by any dimensions, as a table and a chart."),
    more: "By up to three dimensions.",
  },
  vitals: {
    about: msg("How fast your pages are for real visitors, and which ones to mend first."),
    more: "Core Web Vitals by page, device and country, with Google's thresholds. It needs the full tracker.",
  },
};
