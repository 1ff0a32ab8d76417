import { type Article, part, steps, terms, text } from "@/lib/publish/articles/article";

const USES: [string, string][] = [
  [
    "filter",
    "Show the dashboard for visitors who reached it, or for all others: which sources and pages did they have?",
  ],
  ["campaigns", "Conversions, their rate and value for each campaign and channel: of all goals, or of a chosen one."],
  ["search engines and assistants", "How many of the visits that they send convert, for each landing page."],
  ["site search", "Which searches end in a conversion."],
  ["experiments", "The rate of each variant, and whether the difference is more than chance."],
];

export const goalsArticle = (_base: string): Article => ({
  slug: "goals",
  title: "Goals",
  lead: "A goal is what you want visitors to do: see a page, or send an event such as a sign-up.",
  index: "for owners: what goals are and how to make them",
  parts: [
    part(
      "make",
      "Make a goal",
      steps(
        "Open the settings of the site, then Goals and funnels, and choose New goal.",
        "Choose Page for something that has an address of its own, such as `/thanks`. `*` stands for a part of one segment, `**` for any number of them: `/blog/**` is every page of the blog.",
        "Choose Event for everything else, with the exact name of the event, such as `Signup`. Your pages send it: [Custom events](/docs/tracker#events). The full tracker sends downloads, outbound links and forms by itself.",
        "If several pages or events mean the same, list the others under Also reached by, each on its own line. If only some of the events count, say so under Only if: a property, such as `plan`, and its values. Each condition must be met.",
        "Give it a name. Past visits count at once, because nothing is computed in advance.",
      ),
    ),
    part(
      "value",
      "What a conversion is worth",
      text(
        "A goal can have a value, so that reports add up what its conversions are worth. Choose it in the same dialog, in the currency of the site:",
      ),
      terms([
        ["a fixed amount", "The same for each conversion, such as what a lead brings on average."],
        [
          "a property of the event",
          "The number that the event says, such as `seats` of a sign-up. Any other text is worth nothing.",
        ],
        ["its revenue", "The amount of the event, converted as in Commerce. An order that is sent twice counts once."],
      ]),
      text(
        "Choose the goal on the dashboard, in the toolbar or by its row among the goals: “Conversion value” stands beside conversions and their rate, in the chart, in each row, in Campaigns and Events, and in Explore. An event that reaches several goals has the value of each. Which visit gets it, the first or the last, is said where it stands: [Attribution](/docs/metrics#attribution).",
      ),
    ),
    part(
      "use",
      "Where goals appear",
      terms(USES),
      text(
        "A goal that you choose in the bar above the dashboard or a report holds on every page until you choose another or none: conversions and their rate are then of this goal in the headlines, the chart and the lists of the dashboard, its Campaigns panel, and the reports Campaigns, SEO, AI traffic and Site search. What changed explains its conversions, unless you choose another metric. Explore uses it for metrics of conversions. PDFs name it. The other reports have no conversions of a single goal, and stay as they are.",
      ),
    ),
    part(
      "counted",
      "How conversions are counted",
      text(
        "Conversions are the events that reach the goal. The conversion rate is the share of visitors who reached it; a visitor counts once on each local day, as everywhere. Orders with an amount are events too: their sums are in [Commerce](/docs/reports#reports), in the currency of the site.",
      ),
      text(
        "A goal can get another name: segments, saved dashboards, experiments and alerts that use it follow. It cannot be deleted while a segment, the filters of a dashboard, an experiment or an alert use it; the message names them. A dashboard that only shows its conversions opens without them.",
      ),
      text(
        "A goal that nobody reaches is usually a wrong name or path. The Live test in the settings shows each event as it arrives, with its name and page.",
      ),
    ),
  ],
});
