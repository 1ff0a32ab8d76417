import { REPORTS, type ReportKey } from "@/lib/contract/reports";
import { type Article, part, terms, text } from "@/lib/publish/articles/article";

/** What each report answers, for those who open it for the first time. */
const ANSWERS: Record<ReportKey, string> = {
  realtime: "Who is here now? Visitors of the last five and thirty minutes, and events as they arrive.",
  changes: "Why did a number change? Which sources, pages or countries explain it, what stands out first.",
  events: "What do visitors do besides reading? Custom events with their properties.",
  campaigns: "Which links bring visitors who stay and convert? Campaigns, channels, conversions and revenue.",
  commerce: "What is sold? Revenue, orders, refunds, products, and where buyers leave the checkout.",
  experiments: "Which variant is better, and is the difference more than chance?",
  site_search: "What do visitors search for on the site, and do they find it?",
  funnels: "Where do visitors leave on the way to a goal? See [Funnels](/docs/funnels).",
  journeys: "Which ways do visitors take through the site? All visits, step by step.",
  retention:
    "How many new visitors come back, by day, week or month? Needs user ids, or the setting for returning visitors.",
  heatmap: "At which hours of the week is the site busy? It is about time, not about clicks.",
  vitals:
    "How fast do pages feel? Core Web Vitals by page, device and country, with Google's thresholds, one vital at a time and the worst pages first. Needs the full tracker.",
  seo: "Which pages do search engines and AI assistants send visitors to?",
  ai: "Which AI agents and search engines read which pages, for what, and what visits do assistants send?",
  explore: "Anything else: any metrics by up to three dimensions.",
};

export const reports = (_base: string): Article => ({
  slug: "reports",
  title: "Reports",
  lead: "The dashboard answers the questions of each morning. Reports answer one question each.",
  index: "for owners: what each report answers, and how to read the dashboard",
  parts: [
    part(
      "dashboard",
      "The dashboard",
      text(
        "The numbers on top are of the chosen period, with their change against the period before. Click one to draw it. Drag over the chart to zoom, click a bar to open its day. A dotted end means that the period is not over. Each number shows its definition when you point at it, and [Metrics](/docs/metrics) has all of them.",
      ),
      text(
        "With a keyboard, `?` lists the shortcuts: `D`, `W`, `M` and `Y` for periods, `F` for a filter, `X` for the comparison.",
      ),
    ),
    part(
      "reports",
      "The reports",
      text(
        "Each report begins with a sentence that says what changed or what is worst, and that it may be chance where there are few data. Click a row to see only its visits, a number to draw it, a step of Journeys to follow it or to start there. Another report keeps the period, the comparison and the filters.",
      ),
      terms(Object.entries(REPORTS).map(([key, name]) => [name, ANSWERS[key as ReportKey]])),
    ),
    part(
      "unsure",
      "When numbers look odd",
      text(
        "An open period is compared with the same hours of the earlier one, not with all of it. Visitors count once a day, so the visitors of a week are the sum of its days. Robots are left out unless you ask for them. Under Exclusions, “Event outcomes” says how many events were not counted and why; on the installation page, a test opens your site and says what it finds.",
      ),
    ),
  ],
});
