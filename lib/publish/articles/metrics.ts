import { OPERATORS } from "@/lib/analytics/query/conditions";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { OPPORTUNITY } from "@/lib/analytics/reports/search-queries";
import { SCRUB_RULES } from "@/lib/contract/scrub-rule-kinds";
import { ATTRIBUTIONS, METRICS, TRAFFIC } from "@/lib/contract/vocabulary";
import { CHANNEL_RULES, DIRECT } from "@/lib/ingest/enrich/channels";
import { CRAWLER_RANGES, LISTS } from "@/lib/ingest/enrich/lists";
import { PURPOSES, REASONS } from "@/lib/ingest/event/verdict";
import { SCRUBBED } from "@/lib/ingest/scrubbing/kinds";
import { type Article, part, shown, slot, terms, text } from "@/lib/publish/articles/article";
import { SERVER_EVENTS } from "@/lib/publish/event-facts";
import { FILTER_EXAMPLES, FILTERING, READING } from "@/lib/publish/filtering";

const LEVELS = { visit: "Visit", event: "Event" };

const FILTERS = [
  text(
    "`filters` is an object. Its keys are dimensions, `product`, `prop:<name>` or `goal:<name>`; its values are a value, a list (any of), or an object with one of these operators:",
  ),
  terms(Object.entries(OPERATORS)),
  terms(Object.entries(FILTERING)),
  ...FILTER_EXAMPLES.flatMap(({ about, filters, brackets }) => [
    text(`${about}, as JSON or with brackets:`),
    shown("the filters", `filters=${JSON.stringify(filters)}\n${brackets}`, "text"),
  ]),
];

const [FIRST_PLACE, LAST_PLACE] = OPPORTUNITY.positions;
/** What the numbers of search engines mean. */
const SEARCH = {
  "clicks, impressions": "As the provider counts them, for results of the site in web search.",
  ctr: "Clicks divided by impressions.",
  position:
    "The average position of the topmost result of the site, weighted by impressions; 1 is the top. Bing has none of a whole site.",
  unattributed:
    "What Google counts for the site but for no query, because few people asked it: totals less the sum of all queries, over the days whose queries are fetched. Unknown for Bing, which has daily totals and weekly queries.",
  opportunities: `Queries with at least ${OPPORTUNITY.impressions} impressions in the range, at an average position that rounds to ${FIRST_PLACE} to ${LAST_PLACE}, that are clicked less than the site's own curve: expected_ctr is the clicks per impression of all its queries in the range at the same rounded position. missed_clicks is impressions × expected_ctr − clicks, and at least ${OPPORTUNITY.missedClicks}.`,
} as const;

export const metricsArticle = (_base: string): Article => ({
  slug: "metrics",
  title: "Metrics",
  lead: "The dashboard and the API return the same numbers. Each has one definition. Unknown values are null, never zero.",
  index: "definitions of metrics, dimensions, filters, comparisons, traffic classes and channels",
  forAgents: true,
  parts: [
    part(
      "definitions",
      "Definitions",
      slot("metrics", terms(Object.entries(METRICS).map(([key, { unit, about }]) => [key, `${about} Unit: ${unit}.`]))),
    ),
    part(
      "reading",
      "Reading a report",
      text("Days are the local days of the site's timezone. Rates are fractions from 0 to 1, durations are seconds."),
      terms([...Object.entries(READING), ["server events", SERVER_EVENTS]]),
    ),
    part(
      "dimensions",
      "Dimensions",
      text("Reports are grouped and filtered by dimensions. Each is a property of the whole visit or of each event."),
      terms(Object.entries(DIMENSIONS).map(([key, { level, about }]) => [key, `${LEVELS[level]}. ${about}`])),
    ),
    part("filters", "Filters", ...FILTERS),
    part(
      "traffic",
      "Traffic",
      text("Every event is stored with its traffic class, and `traffic` selects which classes a report counts."),
      terms(Object.entries(TRAFFIC)),
      text(
        "Traffic is human unless one of the reasons below applies. All other traffic keeps its reason, the name and operator of the bot if known, and the version of the lists that decided it. These are all reasons:",
      ),
      terms(Object.entries(REASONS).map(([reason, { traffic, about }]) => [`${traffic}: ${reason}`, about])),
      text(
        "A bot is recognised by its user agent: by lists of AI agents (ai.robots.txt, and what operators document) and of crawlers, and by the words of `isbot`. The names of phones, TVs and apps do not count as words of a bot. It has one of these purposes:",
      ),
      terms(Object.entries(PURPOSES)),
      text(
        "If an operator publishes the addresses of its crawlers, or its agents sign their requests (Web Bot Auth), a visit is `verified` or `spoofed`; otherwise it is `claimed`. A right signature says who an agent is, even if its user agent is that of a browser. A spoofed visit keeps the class of the bot that it names, because lists of addresses become outdated. These address lists are known:",
      ),
      terms(CRAWLER_RANGES.map(({ agents, source, date }) => [agents.join(", "), `${source}, as of ${date}`])),
      text(
        "Headers and request rates count only if a page's own browser sends them. If a backend passes on a visitor's user agent, its own headers and address are ignored. When the lists change, stored events are classified again by the names of bots and referrers; what only the request itself showed stays as it was.",
      ),
      text(
        "The report `analytics.ai` lists AI agents, and robots that collect pages for a search engine, whose results assistants use. A page view of theirs is a read, unless it was answered with a status of 400 or more: then it is an error, and still a pageview in every other report. A page view without a known status is a read. A page is unread when people saw it in the range and none of the listed agents read it; without a known request of any agent it is null. Most agents run no script, so their page views come from [access logs](/docs/measurement-protocol#logs) or servers.",
      ),
      text(
        "A person who follows a link of an AI assistant is human traffic. The channel is `AI assistants`, by the referrer or by `utm_source`.",
      ),
    ),
    part(
      "channels",
      "Channels",
      text(
        "Channels follow the [default channel group of Google Analytics](https://support.google.com/analytics/answer/9756891) in its order, with rules of our own for click ids, AI assistants, webmail and common spellings. The first matching rule decides. Its id is stored with the visit: it is the dimension `channel_rule`, stands beside each channel in the campaigns report (`rules`), and a test event shows it (`source.rule` and `source.because`). Click ids are read and not stored. These are all rules, in the order in which they are tried:",
      ),
      terms(
        [DIRECT, ...CHANNEL_RULES].map(
          ({ id, channel, when, isOwn }) =>
            [id, `${channel}: ${when}.${isOwn ? " Not a rule of Google Analytics." : ""}`] as const,
        ),
      ),
      text(
        `The source is what \`utm_source\` names, otherwise the host or app (\`android-app://\`, \`ios-app://\`) that linked here, otherwise the owner of a click id. Campaigns may name a source by its name, a common short form such as \`fb\` or \`adwords\`, or its host, in upper or lower case. A source is a search engine, social network, video site, shop, webmail service or AI assistant by these lists, of which the first that has it decides. Hosts match as whole: \`docs.google.com\` is not the search engine, and \`google.com.example.org\` is nobody known. All sources that Google publishes have its channels, except the webmail of Rambler, Seznam and Yandex, which is Email.`,
      ),
      terms(
        LISTS.filter(({ decides }) => decides === "sources").map(
          ({ title, source, licence, date }) => [title, `${source}, ${licence}, as of ${date}`] as const,
        ),
      ),
      text(
        "Source, channel and rule are decided when an event arrives. Later lists and rules apply to later visits; stored visits keep theirs.",
      ),
    ),
    part(
      "attribution",
      "Attribution",
      text(
        "Wherever conversions or revenue stand by source or campaign, one visit gets them. `attribution` chooses which, in the overview, the chart, the campaigns, commerce and Explore:",
      ),
      terms(Object.entries(ATTRIBUTIONS).map(([key, { about }]) => [key, about])),
      text(
        "A direct first visit counts as direct. The days are counted back from each conversion, so that the first visit may lie before the range; then a campaign has revenue and no visit. Filters by source, channel or campaign choose what is given to them. Pages, locations and devices stay those of the event and its visit. Totals are the same either way.",
      ),
    ),
    part(
      "places",
      "Locations",
      text(
        "Country (ISO code), region and city come from a local database of networks; the address is sent to nobody and not stored. Locations belong to the visit, and a site chooses how precise they are. A city is an estimate by the network's owner and can be a neighbouring one.",
      ),
      text("The included database is [IP Geolocation by DB-IP](https://db-ip.com/)."),
    ),
    part(
      "search",
      "Search engines",
      text(
        "Once an owner has connected the site to Google Search Console or Bing Webmaster Tools, and the operator has registered the service there, `analytics.seo` has their numbers. Days are those of the provider, in Pacific time, until `fresh_until`; later days have no numbers yet. Filters and traffic do not apply.",
      ),
      terms(Object.entries(SEARCH)),
    ),
    part(
      "scrubbed",
      "Personal data",
      text(
        "In paths, titles, referrers, campaigns, event names and properties, personal data and secrets are replaced before anything is stored, by their kind in brackets:",
      ),
      terms(Object.entries(SCRUBBED).map(([kind, about]) => [`(${kind})`, `instead of ${about}`])),
      text(
        "Name and value are judged together, in properties and in pairs such as `?key=value`. The last word of a name counts: `user_email`, not `email_type`. Values such as `true` or `open` stay. Under `code`, `key`, `state`, `session`, `token` and the like, only random text, a UUID or a code of six digits is replaced.",
      ),
      text(
        "Numbers of orders and articles, UUIDs, hashes, ids of documents, versions, dates and names of products stay. After `reset`, `verify`, `confirm`, `invite`, `magic`, `unsubscribe` or `login` in a path, a UUID or random text of 16 characters is replaced. National phone numbers, names, street addresses and dates of birth are found only by their name.",
      ),
      text(
        "Managers see in the privacy settings what was replaced lately, by kind and place; agents read it by `sites.scrubbing.report`. A site may have 50 rules of its own:",
      ),
      terms(Object.entries(SCRUB_RULES).map(([kind, { about }]) => [kind, about])),
    ),
  ],
});
