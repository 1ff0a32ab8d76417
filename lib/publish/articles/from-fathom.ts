import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const tag = (base: string): string => `<script defer data-domain="example.com" src="${base}/script.js"></script>`;
const CALLS = `fathom.trackEvent("sign up", { _value: 1200 });                          // before
footfall("sign up", { revenue: { amount: "12.00", currency: "EUR" } });  // after`;

export const fromFathomArticle = (base: string): Article => ({
  slug: "from-fathom",
  title: "Coming from Fathom",
  lead: "Replace the tag and the calls of `fathom`, and import your history.",
  index: "move from Fathom: tag, events, history; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Replace Fathom's tag by ours. `data-spa` is not needed: changes of the address are pageviews by themselves.",
        "Replace `fathom.trackEvent(…)` by `footfall(…)`, and `fathom.trackGoal(…)` by an event with a name.",
        "Import your history under Settings, Import.",
      ),
      code("the tag", tag(base), "html"),
      code("an event", CALLS, "js"),
      TEST_IT,
    ),
    part(
      "history",
      "Get your history",
      text(
        "In Fathom, open the site's settings, Exports, New export. Choose Hourly or Daily as date grouping and all metrics, and export once without a dimension, then once with each dimension that you need. A whole export of before, a zip with Site.csv, Pages.csv, Referrers.csv, Browsers.csv, Countries.csv, DeviceTypes.csv and Events.csv, is read as it is.",
      ),
      terms([
        [
          "Taken over",
          "Visitors, visits, pageviews, bounces and durations by day, and lists by page, referrer, country, state, city, browser, operating system, device, UTM source, medium, campaign, and event.",
        ],
        ["Not taken over", "Values of events, and exports with several dimensions: their visitors cannot be added up."],
        ["Days", "Are those of the export. Fathom's own days are in UTC."],
        ["Channels", "Are unknown: Fathom has none, and its lists of referrers and campaigns are apart."],
      ]),
    ),
    numbersBeside("Fathom", [
      {
        metric: "visitors",
        theirs: "a hash that changes at midnight in UTC.",
        so: "The same kind of number. Days differ for sites far from UTC.",
      },
      {
        metric: "visits",
        theirs: "none of their own: a visitor of a day is one visit.",
        so: "Higher here for new data: a visitor who comes back after 30 minutes begins another visit.",
      },
      {
        metric: "bounce_rate",
        theirs: "visitors of a day with one pageview.",
        so: "Lower here, because an event of a visitor ends a bounce.",
      },
      {
        metric: "visit_duration",
        theirs: "“average time on site”, between pageviews.",
        so: "Longer here, because the last page counts for as long as it was read.",
      },
    ]),
  ],
});
