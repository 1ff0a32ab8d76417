import { type Article, part, steps, terms, text } from "@/lib/publish/articles/article";

const OPERATORS: [string, string][] = [
  ["is, is not", "Exactly one of the values, or none of them."],
  ["contains, does not contain, starts with", "A part of the text, such as `/blog/`."],
  ["matches", "A regular expression, for those who know them."],
];

export const filtersArticle = (_base: string): Article => ({
  slug: "filters",
  title: "Filters and segments",
  lead: "Rows of lists filter. What you filter often, you save as a segment.",
  index: "for owners: filters, segments and saved dashboards",
  parts: [
    part(
      "filter",
      "Filter",
      text(
        "Click a row of a list on the dashboard, such as a country, and the whole page shows these visitors only. In reports, names that are links do the same, or open their detail; names in plain text are of what no filter can express, such as an hour or a variant. A product filters by the views, cart additions and orders with it: the whole order, and the visits that have one. So you see which sources, entry pages and countries bought it. Each filter is a chip at the top: click it to change it, or its cross to remove it. The button Filter has dimensions that no list shows, such as properties of events or visitors who did not reach a goal.",
      ),
      terms(OPERATORS),
      text(
        "Several values of one filter mean any of them; several filters mean all of them. A filter by country, source or device selects visits. A filter by page or event counts the views or events themselves, and the visits that have them: Journeys and Funnels show all steps of these visits. Commerce then counts the sales of these events only. The address of the page holds all filters, so a bookmark or a link shows the same again. Another site keeps those that mean the same there: not pages, events, properties, products, goals and segments.",
      ),
    ),
    part(
      "segments",
      "Segments",
      steps(
        "Filter until you see the visitors that you mean.",
        "Save the filters as a segment, with a name such as “Readers from Germany”.",
        "Choose it in the menu of segments on the dashboard or a report. Everyone with access to the site can use it; managers change and delete it.",
      ),
    ),
    part(
      "dashboards",
      "Saved dashboards",
      text(
        "A dashboard saves more than filters: period, comparison, traffic, the chosen goal with its attribution, and the panels that it shows, reports among them. Make one for each question that comes back, such as “Campaigns this month”.",
      ),
    ),
    part(
      "traffic",
      "Robots and people",
      text(
        "Reports show people. Robots, AI agents and spam are stored apart and can be shown by the menu of traffic. [Traffic](/docs/metrics#traffic) says how they are told apart.",
      ),
    ),
  ],
});
