import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const tag = (base: string): string => `<script defer data-domain="example.com" src="${base}/script.full.js"></script>`;
const CALLS = `gtag("event", "sign_up", { method: "Google" });            // before
footfall("sign_up", { props: { method: "Google" } });      // after`;

export const fromGa4Article = (base: string): Article => ({
  slug: "from-ga4",
  title: "Coming from Google Analytics 4",
  lead: "Replace the tag, keep the names of your events, and import your history.",
  index: "move from Google Analytics 4: tag, events, history; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Replace the tag of Google (`gtag.js`, or its tag in Google Tag Manager) by ours. It needs no consent banner for cookies, because it sets none; ask your counsel about your case.",
        'Replace `gtag("event", …)` by `footfall(…)`.',
        "Move server events from `/mp/collect` to [`/api/v1/events`](/docs/measurement-protocol): `client_id` becomes `session_id`, `params` become `properties`, and the key goes into a header instead of the address.",
        "Import your history under Settings, Import: connect your Google account, and choose a property and its days; or drop reports and explorations as CSV, in any language, one of them with days and no dimension.",
      ),
      code("the tag", tag(base), "html"),
      code("an event", CALLS, "js"),
      TEST_IT,
    ),
    part(
      "stays",
      "What stays",
      terms([
        [
          "Commerce",
          "`view_item`, `add_to_cart`, `begin_checkout`, `purchase` and `refund` with `transaction_id`, `value`, `currency` and `items` count as in GA4.",
        ],
        ["Campaigns", "`utm_…` parameters and click ids. Channels follow the default channel grouping of GA4."],
        [
          "Automatic events",
          "Outbound clicks, file downloads, forms, site search, scrolling and web vitals, with the full tracker.",
        ],
      ]),
    ),
    part(
      "different",
      "What is different",
      terms([
        [
          "Users",
          "Nobody is recognised on another day, unless your page names its user, or, for the retention report alone and within one month, if the site turns that on (Settings, Privacy). There are no audiences, demographics or advertising features.",
        ],
        ["Key events", "Are goals here: Settings, Goals."],
        ["Sampling and thresholds", "There are none. Every report counts every event."],
        ["Consent mode", "Nothing is modelled: what is not sent is not counted."],
      ]),
      text(
        "Ad blockers block Google's domains more often than yours, so more visits are counted here; a [proxy on your own domain](/docs/own-domain) helps further.",
      ),
    ),
    part(
      "history",
      "Get your history",
      text(
        "The simplest way is to connect your Google account under Settings, Import: it fetches all of the following. Or export reports and explorations as CSV by day, each with at most one dimension, and drop them together; one of them has days, total users, sessions and views, and no dimension. [Export and import](/docs/export#imported) says which columns are read.",
      ),
      terms([
        [
          "Taken over",
          "Users, sessions and views by day, and by page, landing page, source, medium, campaign, channel group, country, region, city, device, browser, operating system and event. Bounces and durations, from the bounce rate and the average session duration.",
        ],
        [
          "Not taken over",
          "Revenue, items and key events; parameters of events and custom dimensions; titles, hostnames, languages, screens and versions; audiences, demographics and advertising; exit pages, which GA4 does not have; and the events that GA4 records itself, such as `session_start`.",
        ],
        [
          "Unknown stays unknown",
          "What Google samples, or withholds because few users are in it, is named in the preview. Days without a bounce rate or a duration have none here.",
        ],
      ]),
    ),
    numbersBeside("GA4", [
      {
        metric: "visitors",
        theirs: "“active users”, recognised by a cookie for up to two years, once in any range.",
        so: "Sums of days are higher here; one day is comparable, less what consent banners and blockers hide from GA4.",
      },
      {
        metric: "visits",
        theirs: "sessions of 30 minutes without activity, started by `session_start`.",
        so: "The same rule. A session that GA4 estimates is counted here.",
      },
      {
        metric: "bounce_rate",
        theirs: "sessions of less than 10 seconds with one page and no key event.",
        so: "Higher here: reading one page for ten seconds does not end a bounce. Compare time on page instead.",
      },
      {
        metric: "visit_duration",
        theirs: "from the first event to the last one.",
        so: "Similar; the last page counts here for as long as it was read.",
      },
      {
        metric: "time_on_page",
        theirs: "“average engagement time”, per active user.",
        so: "Ours is per pageview, so it is lower.",
      },
    ]),
  ],
});
