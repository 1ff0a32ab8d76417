import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const tag = (base: string): string => `<script defer data-domain="example.com" src="${base}/script.full.js"></script>`;
const CALLS = `_paq.push(["trackEvent", "Menu", "Freedom", "page 1"]);               // before
footfall("Freedom", { props: { category: "Menu", name: "page 1" } }); // after`;
const REPORTS = [
  "VisitsSummary.get",
  "Actions.get",
  "Actions.getPageUrls flat=1",
  "Actions.getEntryPageUrls flat=1",
  "Actions.getExitPageUrls flat=1",
  "Referrers.getReferrerType",
  "Referrers.getWebsites",
  "Referrers.getSearchEngines",
  "Referrers.getSocials",
  "Referrers.getCampaigns",
  "UserCountry.getCountry",
  "UserCountry.getRegion",
  "UserCountry.getCity",
  "DevicesDetection.getType",
  "DevicesDetection.getBrowsers",
  "DevicesDetection.getOsFamilies",
  "Events.getAction",
];
const FETCH = `report() {
  curl -sS "https://matomo.example.com/index.php" -o "$1.json" \\
    -d "module=API&method=$1&format=JSON&idSite=1&period=day&date=2025-01-01,2025-12-31&filter_limit=-1&$2" \\
    -d "token_auth=$MATOMO_TOKEN"
}
${REPORTS.map((report) => `report ${report}`).join("\n")}`;

export const fromMatomoArticle = (base: string): Article => ({
  slug: "from-matomo",
  title: "Coming from Matomo",
  lead: "Replace the tag and the calls of `_paq`, and import your history by day.",
  index: "move from Matomo: tag, events, goals, history; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Replace Matomo's tag by ours. Clients of `matomo.php` are not read here.",
        "Replace `trackEvent`, `trackGoal` and `trackSiteSearch` by `footfall(…)`; searches and downloads are counted by themselves.",
        "Send orders with [Orders and revenue](/docs/events-api#orders) in place of `trackEcommerceOrder`.",
        "Import your history under Settings, Import: see below how to get it.",
      ),
      code("the tag", tag(base), "html"),
      code("an event", CALLS, "js"),
      TEST_IT,
    ),
    part(
      "stays",
      "What has the same meaning",
      terms([
        ["setUserId", '`data-user` on the tag, or `footfall("identify", { user_id })`. Stored only as a hash.'],
        ["Custom dimensions", "Properties of events; reports filter and group by each."],
        ["Campaigns", "`utm_…` parameters. `mtm_…` and `pk_…` are not read: rename them."],
        ["Goals and funnels", "Settings, Goals. They count past events too."],
        ["Opt-out", "`footfall.optOut()`, or `?footfall=ignore` in the address."],
        ["Annotations, segments, dashboards", "The same words here."],
      ]),
    ),
    part(
      "history",
      "Get your history",
      text(
        "Reports are imported by day. Matomo's Reporting API answers a year of days at once; the token is under Matomo's Administration, Personal, Security. Fetch what you need, and drop all files together: `VisitsSummary.get` is needed, and `Actions.get` has the pageviews.",
      ),
      code("the reports of a year", FETCH),
      text(
        "Matomo's pages export too: the icon with an arrow below each report, CSV, TSV or JSON, the standard report, all rows, and flat for pages. It exports the period that you look at, so choose a day; the day is read from the name of the file. Below a graph over time, it exports each day. Headers can be in English, German, French or Spanish, and files in UTF-8 or UTF-16.",
      ),
      terms([
        [
          "Taken over",
          "Visitors, visits, pageviews, bounces and durations by day, and by page, entry and exit page, channel, source, campaign, country, region, city, device, browser, operating system and event (its action).",
        ],
        [
          "Not taken over",
          "Titles of pages, keywords, versions, categories and names of events, goals, orders, custom dimensions and what Matomo adds up as “Others”. The preview names each file that is skipped.",
        ],
        [
          "Unknown stays unknown",
          "Matomo's actions are not pageviews, so without `Actions.get` pageviews are unknown, never 0, and so are events without `Events.getAction`. Matomo does not tell the channel of a campaign: it is Unassigned.",
        ],
        [
          "Single visits",
          "`Live.getLastVisitsDetails` in JSON becomes daily sums of its visits, in the days of the site's timezone. Visitors and visits are Matomo's; bounces and durations follow our rule, so they differ from Matomo's reports: an event, download, outbound link or search ends a bounce, and a visit lasts until its last action. Import it instead of the reports, not with them.",
        ],
      ]),
    ),
    numbersBeside("Matomo", [
      {
        metric: "visitors",
        theirs: "“unique visitors”, by a cookie or, without one, by a fingerprint of at most 24 hours.",
        so: "One day is the same as with Matomo without cookies. Sums of days are higher than with cookies.",
      },
      {
        metric: "visits",
        theirs: "30 minutes without activity, and a new visit at midnight and with each new campaign.",
        so: "Lower here: a visit goes on over midnight and keeps its first source.",
      },
      {
        metric: "bounce_rate",
        theirs: "visits with one action.",
        so: "Similar. In Matomo a download or an outbound link ends a bounce; here they do too, with the full tracker.",
      },
      {
        metric: "visit_duration",
        theirs: "from the first action to the last; 0 for one action, unless heartbeats are on.",
        so: "Longer here, because the last page counts for as long as it was read.",
      },
      {
        metric: "time_on_page",
        theirs: "until the next action.",
        so: "Ours is the time in which the page was visible, so it is lower.",
      },
    ]),
  ],
});
