import { OPERATORS } from "@/lib/analytics/query/conditions";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { OPPORTUNITY } from "@/lib/analytics/reports/search-queries";
import { METRICS, TRAFFIC } from "@/lib/contract/vocabulary";
import { RANGES } from "@/lib/ingest/enrich/address-lists";
import { CHANNEL_RULES, DIRECT } from "@/lib/ingest/enrich/channels";
import { SCRUBBED } from "@/lib/ingest/event/scrub";
import { PURPOSES, REASONS } from "@/lib/ingest/event/verdict";
import { type Article, part, shown, slot, terms, text } from "@/lib/publish/articles/article";
import { SERVER_EVENTS } from "@/lib/publish/event-facts";
import { FILTER_EXAMPLES, FILTERING, READING } from "@/lib/publish/filtering";

const LEVELS = { visit: "Visit", event: "Event" };

const FILTERS = [
  text(
    "`filters` is an object. Its keys are dimensions, `prop:<name>` or `goal:<name>`; its values are a value, a list (any of), or an object with one of these operators:",
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

export const metrics = (_base: string): Article => ({
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
        "A bot is recognised by its user agent: by our own list of AI agents, by the lists `isbot` and `crawler-user-agents`, and by a list of search engines. It has one of these purposes:",
      ),
      terms(Object.entries(PURPOSES)),
      text(
        "If an operator publishes the addresses of its crawlers, a visit is `verified` or `spoofed`; otherwise it is `claimed`. A spoofed visit keeps the class of the bot that it names, because lists of addresses become outdated. These address lists are known:",
      ),
      terms(RANGES.map(({ agents, source, date }) => [agents.join(", "), `${source}, as of ${date}`])),
      text(
        "Headers and request rates count only if a page's own browser sends them. If a backend passes on a visitor's user agent, its own headers and address are ignored. When the lists change, stored events are classified again by the names of bots and referrers; what only the request itself showed stays as it was.",
      ),
      text(
        "A person who follows a link of an AI assistant is human traffic. The channel is `AI assistants`, by the referrer or by `utm_source`.",
      ),
    ),
    part(
      "channels",
      "Channels",
      text(
        "Channels follow the default channel grouping of Google Analytics, with click ids and AI assistants added. The first matching rule decides, and its name is stored with the visit. Click ids are read and not stored.",
      ),
      terms([...CHANNEL_RULES, DIRECT].map(({ id, channel, when }) => [id, `${channel}: ${when}.`] as const)),
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
        "In paths, titles, referrers, campaigns, event names and properties, personal data is replaced before anything is stored. The site's owner sees how often:",
      ),
      terms(Object.entries(SCRUBBED).map(([kind, about]) => [`(${kind})`, `instead of ${about}`])),
    ),
  ],
});
