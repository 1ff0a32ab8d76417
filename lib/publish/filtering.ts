import { LONGEST_PATTERN } from "@/lib/analytics/query/conditions";
import { LOOKBACK_DAYS } from "@/lib/analytics/reports/retention";
import { VISIT_TIMEOUT_MS } from "@/lib/ingest/store/visits";
import { PUBLIC_FILTERS, REPORT_LIMITS, REPORT_SECONDS } from "@/lib/platform/limits";
import { LONGEST_PATH } from "@/lib/platform/text";

/** The rules of filters. The docs and the texts for agents share them. */
export const FILTERING: Record<string, string> = {
  "and, or":
    "Conditions are AND-ed; a condition with several values matches any of them. Values are case-sensitive. null and the empty text mean unknown or absent.",
  "of a visit":
    "A condition on a visit dimension (source, country, browser, entry page …) selects visits and all of their events.",
  "of an event":
    "Conditions on page, hostname, title, event, product and `prop:<name>` all apply to the same event: they select the events that meet all of them, and the visits with such an event. A condition on event matches named events only: a pageview is neither Signup nor `is_not` Signup. For visitors who did not do something, use `goal:<name>`.",
  "of a product":
    "`product` is one of the items that an event carries, by its id, else by its name, as in analytics.commerce: it selects the views, cart additions and orders with the product, each as a whole, and the visits that have one.",
  "of a goal":
    "`goal:<name>` is yes or no. It selects what visitors did on the local days on which they reached the goal, or on all other days. A name that is no goal is a page, where it is a path such as `/thanks` or a pattern such as `/blog/**`, or the name of an event, also written as `event:Signup`.",
  "regular expressions": `\`matches\` takes one RE2 regular expression of at most ${LONGEST_PATTERN} characters (github.com/google/re2/wiki/Syntax). It matches any part of a value; \`(?i)\` ignores case. Look-around and back references are not supported. Repeats may expand to 1,000 characters, and matching may take 2 seconds; beyond that the answer is 422.`,
  "segment, dashboard":
    "Saved filters are AND-ed with `filters`. sites.segments.list and sites.dashboards.list return the ids; sites.settings.get returns both, and the names of goals, funnels and experiments.",
};

/** How to read the numbers of reports. */
export const READING: Record<string, string> = {
  "by page or event":
    "In a breakdown by a dimension of events, visitors and visits are those with such a page view or event; a visitor counts once for each value and local day. The rows can add up to more than the totals. Names of events include passive ones, which the metric `events` leaves out.",
  midnight:
    "A visitor counts on each local day on which they have an event, a visit on the day on which it began, an event on the day on which it happened; in buckets of an hour or minute, in that hour or minute. So a visit from 23:55 to 00:05 is 1 visitor and 1 visit of the first day, and 1 visitor and no visit of the second, in every report. Engagement and web vitals count nobody by themselves: they report on a page seen before. A goal in `filters` is about the same day: it chooses visitors who reached it on that day.",
  imports:
    "Days imported from another service have what its export tells. The rest is null; in a longer range a rate or average is of the visits that it is known of, and a `change` against an unknown number is null.",
  order:
    "Events are ordered by arrival, and the events of a batch by their index. Each has its own timestamp in microseconds, so “strictly later” works within a batch too.",
  users: `A \`user_id\` that is sent during a visit joins it: later events with only this \`user_id\` continue the visit, keep its source and count for its visitor, until ${VISIT_TIMEOUT_MS / 60_000} minutes pass without an event. A second user in the same browser or session starts a new visit. Only events with the class \`human\` join a visit. Later visits of the user have their own visitor.`,
  paths: `Paths are stored percent-encoded, as browsers send them, up to ${LONGEST_PATH} characters. Longer paths are cut there, never within a character. Letters with marks are composed (Unicode's NFC), so that pages that look the same are one. A filter takes a path in its own letters or encoded, or a whole address; hosts, sources and referrers too, international ones in their own letters.`,
  queries:
    "The query of a URL makes no page, except for the parameters in `page_query` of sites.settings.update: they are stored as a part of the path, sorted by name, as in /?p=12; all others are dropped. A `path` that is sent as such keeps its whole query. A filter by /?p=12 means that page, in any order of its parameters, and a whole address as it would be stored. Goals and funnel steps take a query too, and `*` also stands for one; exclusions hold for a page with any query.",
  slashes:
    "Where `trailing_slashes` of sites.settings.update is same_page, which it is for new sites, /pricing and /pricing/ are one page, shown without the slash: on all days, and in filters, goals, funnels and exclusions. `starts_with`, `contains` and `matches` find it in either spelling; the pattern /blog/* does not mean the page /blog/. A change prepares all reports of the site again.",
  comparison:
    "`previous_period` is the period of equal length directly before the range. `year_over_year` is the same dates a year earlier. `compare_from` and `compare_to` are days of your choice: a comparison as long as the range is aligned with it like `previous_period`, any other is counted whole. A range that includes now is compared up to the same local time. `meta.compare` has the first and last day of the comparison and its exact moments, `start` inclusive and `end` exclusive.",
  changes:
    "In `analytics.changes`, the effect of a value is how much of the change of the total comes from it, and its contribution is the effect divided by that change. Of a count or of revenue, the effect is the change of the value. Of a ratio such as the bounce rate it has two parts, as Kitagawa defined them (Journal of the American Statistical Association 50, 1955), with weights relative to the total: `within`, the mean of its shares of visits in both ranges times the change of its own ratio, and `mix`, the change of its share times the distance of its mean ratio from the mean of both totals. Effects of all values and of `other` add up to the change of the total. A value stands out by what its effect has beyond the trend, from 0.5 % of the total on: for a count, its number before times the relative change of the total (where nothing was before, all that is new); for a ratio, the mean of its shares times the change of the total. Desktop with 80 % of the visits and 80 % of the fall has nothing beyond the trend. Conversion rates, time on page and scroll depth have no parts that add up, and are refused.",
  retention_limit:
    "sites.retention.get returns for how many months a site keeps events. Where a range or its comparison begins earlier, `meta.kept_from` is the first day that is left: events of earlier days were deleted.",
  currency:
    "Money is in the site's reporting currency, converted by the rate of the local day of the payment: the site's own rate, otherwise the daily reference rate. Amounts without a rate are listed separately and never estimated.",
  retention: `analytics.retention recognises returning visitors by the \`user_id\` of events: visitors seen within ${LOOKBACK_DAYS} days before the range are not new, and visitors without a \`user_id\` are not counted. If no event of the range has a \`user_id\` and the site uses the monthly salt, visitors are recognised within a calendar month. Otherwise the report is empty. \`identity\` in the answer states which applies.`,
  deadline:
    "A report that takes too long, or whose caller has disconnected, is stopped: 503 with Retry-After. Use a shorter range, fewer dimensions or a narrower filter.",
  budget: `Report time is limited by caller, not by site: by default ${REPORT_SECONDS} seconds of database time a minute for a person with all of their agents; one agent may use ${REPORT_SECONDS * REPORT_LIMITS.client.part} of them. A person's reports run ${REPORT_LIMITS.person.running} at a time and ${REPORT_LIMITS.person.waiting} can wait. Beyond the report time a call is answered 429, beyond the queue 503, both with Retry-After. account.capabilities returns your limits.`,
  public: `A public dashboard takes only exact values (\`is\`): at most ${PUBLIC_FILTERS.values} values in each of at most ${PUBLIC_FILTERS.conditions} dimensions that its panels show. Its viewers share a smaller report time by network (/24 or /64).`,
};

/** Examples of filters, as JSON and with brackets. */
export const FILTER_EXAMPLES: { about: string; filters: Record<string, unknown>; brackets: string }[] = [
  {
    about: "Visitors from France or Belgium who viewed a page of the blog",
    filters: { country: ["FR", "BE"], page: { starts_with: "/blog/" } },
    brackets: "filters[country][]=FR&filters[country][]=BE&filters[page][starts_with]=/blog/",
  },
  {
    about: "Signups on a paid plan, not from Google, by visitors who did not reach the goal Purchase",
    filters: {
      event: "Signup",
      "prop:plan": { is_not: "free" },
      source: { is_not: ["Google"] },
      "goal:Purchase": "no",
    },
    brackets:
      "filters[event]=Signup&filters[prop:plan][is_not]=free&filters[source][is_not][]=Google&filters[goal:Purchase]=no",
  },
];
