import { LOOKBACK_DAYS } from "@/lib/analytics/reports/retention";
import { PUBLIC_FILTERS, REPORT_LIMITS, REPORT_SECONDS } from "@/lib/platform/limits";
import { LONGEST_PATH } from "@/lib/platform/text";

/** How reports are narrowed, in sentences that /docs/metrics and llms.txt share. */
export const FILTERING: Record<string, string> = {
  "and, or":
    "Conditions are AND-ed; of the values of one condition any will do. Letters are told apart by case. null and the empty text are what is unknown or not there.",
  "of a visit":
    "A condition on what a whole visit has in common (source, country, browser, entry page …) chooses visits, and with them their events.",
  "of an event":
    "Conditions on page, hostname, title, event and `prop:<name>` are all about one and the same event: they choose the events that meet them all, and the visits with at least one such event. Only events with a name meet a condition on event: a pageview is neither Signup nor `is_not` Signup. Who did not do a thing is found by `goal:<name>`.",
  "of a goal":
    "`goal:<name>` is yes or no. It chooses what visitors did on the local days on which they reached the goal, or on all others. A name that no goal has is that of an event.",
  "regular expressions":
    "`matches` takes one RE2 regular expression of at most 256 characters (github.com/google/re2/wiki/Syntax), which may match any part of a value; `|` separates alternatives, `(?i)` ignores case. Look-around and back references do not exist. Repeats such as `(ab){0,9}` may come to 1,000 characters when they are written out, and matching may take 2 seconds; beyond, the call is answered 422 naming the filter.",
  "segment, dashboard":
    "What is saved is AND-ed with `filters`. sites.settings.get tells the ids of segments and dashboards and the names of goals, funnels and experiments.",
};

/** What else a number of a report is to be read by. */
export const READING: Record<string, string> = {
  "by page or event":
    "By a dimension of events, a visitor counts for each value they had and each local day on which they had it: the rows may come to more than the visitors of the whole.",
  midnight: "A visit counts on the local day on which it began, an event on the day on which it happened.",
  order:
    "Events are ordered by their arrival, and the events of a batch by their index in it. Each is stored with a time of its own, to the microsecond, so that strictly later holds within a batch too.",
  users:
    "A `user_id` that is sent during a visit joins it: events that name only this `user_id` continue the visit, keep its source and count for its visitor, until 30 minutes of silence end it. A second user in the same browser or session starts a new visit. Only events of people (traffic human) join a visit. Later visits of the user have the user's own visitor.",
  paths: `Paths are stored percent-encoded, as browsers send them, and whole up to ${LONGEST_PATH} characters. A longer path is cut there, never within a character.`,
  comparison:
    "`previous_period` is the period of equal length directly before: the 28 days before the last 28. `year_over_year` is the same dates a year earlier. `compare_from` and `compare_to` name days of your own: as many as the range has are aligned with it like the previous period, any other number is counted whole. A range that includes now is compared up to the same local time, so that half a day is never compared with a whole one. `meta.compare` has the first and last day of the comparison and its exact moments, `start` inclusive and `end` exclusive.",
  "server events":
    "An event that a server sends about its own work counts as human traffic in `events`, `pageviews`, conversions and revenue. It joins the running visit of its `user_id`; without one it belongs to no visit, so it adds nothing to visitors, visits or funnels, and its source and channel are unknown.",
  kept: "sites.settings.get tells for how many months a site keeps what was counted (`kept_months`). Where a range, or the one it is compared with, begins before the first day that is left, `meta.kept_from` is that day: earlier days are empty because they were destroyed, not because nobody came.",
  currency:
    "Money is told in the site's reporting currency, converted by the rate of the local day on which it was paid: a rate of the site's own, or else the daily reference rate. What has no rate is never guessed but listed apart.",
  retention: `analytics.retention tells who comes back by the \`user_id\` of events: whoever was there within the ${LOOKBACK_DAYS} days before the range is not new, and who came without one is not counted. Where no event of the range has one, it tells that by a random salt of the calendar month, if the site has chosen to know visitors again within it: everybody is new on the first, and nothing is known of a later month. Else nobody is known again on another day, and nothing is told. \`identity\` in the answer says which.`,
  deadline:
    "A report that takes too long, or that nobody waits for any more, is ended: 503 with Retry-After. Ask for a shorter range, fewer dimensions or a narrower filter.",
  budget: `Report time is limited by caller, not by site: by default ${REPORT_SECONDS} seconds of database time a minute for a person with all of their agents, of which one agent may use ${REPORT_SECONDS * REPORT_LIMITS.client.part}. Of the statements of a person ${REPORT_LIMITS.person.running} run at the same time and ${REPORT_LIMITS.person.waiting} wait. Beyond its report time a call is answered 429, beyond the queue 503, both with Retry-After; account.capabilities tells your limits.`,
  public: `The public dashboard of a site takes only whole values (\`is\`), at most ${PUBLIC_FILTERS.values} of at most ${PUBLIC_FILTERS.conditions} dimensions that its panels show, and its viewers share a smaller report time by network (/24 or /64).`,
};

/** Filters as callers may send them. */
export const FILTER_EXAMPLES: { about: string; filters: Record<string, unknown>; brackets: string }[] = [
  {
    about: "People from France or Belgium who came to a page of the blog",
    filters: { country: ["FR", "BE"], page: { starts_with: "/blog/" } },
    brackets: "filters[country][]=FR&filters[country][]=BE&filters[page][starts_with]=/blog/",
  },
  {
    about: "Signups on a paid plan, without those of a known source, by visitors who did not reach the goal Purchase",
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
