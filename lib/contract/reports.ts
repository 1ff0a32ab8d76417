/**
 * The reports with a page of their own, in menu order, with what they answer in the docs. The key is the last part of the page's path,
 * the folder of its parts in `components/reports`, and what a saved dashboard calls it.
 */
export const REPORTS = {
  realtime: {
    name: "Realtime",
    answers: "Who is here now? Visitors of the last five and thirty minutes, and events as they arrive.",
  },
  changes: {
    name: "What changed",
    answers: "Why did a number change? Which sources, pages or countries explain it, what stands out first.",
  },
  events: { name: "Events", answers: "What do visitors do besides reading? Custom events with their properties." },
  campaigns: {
    name: "Campaigns",
    answers: "Which links bring visitors who stay and convert? Campaigns, channels, conversions and revenue.",
  },
  commerce: {
    name: "Commerce",
    answers: "What is sold? Revenue, orders, refunds, products, and where buyers leave the checkout.",
  },
  experiments: { name: "Experiments", answers: "Which variant is better, and is the difference more than chance?" },
  site_search: { name: "Site search", answers: "What do visitors search for on the site, and do they find it?" },
  funnels: { name: "Funnels", answers: "Where do visitors leave on the way to a goal? See [Funnels](/docs/funnels)." },
  journeys: { name: "Journeys", answers: "Which paths do visitors take through the site?" },
  retention: {
    name: "Retention",
    answers: "How many visitors come back? Needs user ids, or the setting for returning visitors.",
  },
  heatmap: {
    name: "Heatmap",
    answers: "At which hours of the week is the site busy? It is about time, not about clicks.",
  },
  vitals: {
    name: "Web vitals",
    answers:
      "How fast do pages feel? Core Web Vitals by page, device and country, with Google's thresholds. Needs the full tracker.",
  },
  seo: { name: "SEO", answers: "Which pages do search engines and AI assistants send visitors to?" },
  ai: {
    name: "AI traffic",
    answers: "Which AI agents and search engines read which pages, for what, and what visits do assistants send?",
  },
  explore: { name: "Explore", answers: "Anything else: any metrics by up to three dimensions." },
} as const;
export type ReportKey = keyof typeof REPORTS;

export type PanelReport = Exclude<ReportKey, "explore">;
/** The reports that a dashboard can show. Explore says nothing before its reader has chosen something. */
export const PANEL_REPORTS = (Object.keys(REPORTS) as ReportKey[]).filter(
  (key): key is PanelReport => key !== "explore",
);
