import { msg } from "@/lib/texts/translate";

/** The product's periods, classes of traffic, types of events and metrics with their texts. Docs, API and UI derive from these tables. */

/** Traffic class of an event, as stored in facts. Events of every class are stored; each report filters by class. */
export const TRAFFIC_CLASSES = { human: 1, bot: 2, ai: 3, spam: 4, suspicious: 5 } as const;
export type TrafficClass = keyof typeof TRAFFIC_CLASSES;

/** Traffic filters of a report with their labels. */
export const TRAFFIC = {
  human: msg("Human visitors"),
  all: msg("All traffic"),
  bot: msg("Bots"),
  ai: msg("AI agents and crawlers"),
  spam: msg("Referrer spam"),
  suspicious: msg("Suspicious"),
} as const;
export type Traffic = keyof typeof TRAFFIC;

/**
 * Event types, as stored in facts. A `screen` of an app counts like a pageview. A `commerce` event counts as an event
 * and prevents a bounce, like a custom event; `passive` custom events, `identify`, `exposure` (a visitor saw an
 * experiment variant) and `vitals` do neither.
 */
export const EVENT_TYPES = {
  pageview: 1,
  event: 2,
  passive: 3,
  engagement: 4,
  screen: 5,
  identify: 6,
  exposure: 7,
  commerce: 8,
  vitals: 9,
} as const;
export type EventType = keyof typeof EVENT_TYPES;

/** Types that count their visitor on a day: all that can begin a visit. Engagement and vitals report on an earlier view. */
export const PRESENCE: readonly number[] = Object.values(EVENT_TYPES).filter(
  (type) => type !== EVENT_TYPES.engagement && type !== EVENT_TYPES.vitals,
);

/** Named report ranges in menu order. */
export const PERIODS = {
  today: msg("Today"),
  yesterday: msg("Yesterday"),
  "24h": msg("Last 24 hours"),
  "7d": msg("Last 7 days"),
  "28d": msg("Last 28 days"),
  "30d": msg("Last 30 days"),
  "90d": msg("Last 90 days"),
  "6mo": msg("Last 6 months"),
  "12mo": msg("Last 12 months"),
  month: msg("This month"),
  last_month: msg("Last month"),
  year: msg("This year"),
  all: msg("All time"),
  custom: msg("Custom range"),
} as const;

/** The days of a week in the order of ISO 8601. */
export const WEEKDAYS = [
  msg("Monday"),
  msg("Tuesday"),
  msg("Wednesday"),
  msg("Thursday"),
  msg("Friday"),
  msg("Saturday"),
  msg("Sunday"),
];

/** Annotation kinds with their labels. */
export const ANNOTATION_KINDS = {
  deploy: msg("Deploy"),
  campaign: msg("Campaign"),
  incident: msg("Incident"),
  note: msg("Note"),
} as const;
export type AnnotationKind = keyof typeof ANNOTATION_KINDS;

/** Headline metrics with unit and definition, for docs, API descriptions and tooltips. */
export const METRICS = {
  visitors: {
    label: msg("Visitors"),
    unit: "count",
    about: msg(
      "Unique visitors with an event on a local day of the site. Over several days it is the sum of the days, because visitors are not recognised across days. A visit over midnight is a visitor of both days.",
    ),
  },
  visits: {
    label: msg("Visits"),
    unit: "count",
    about: msg(
      "Sequences of events of one visitor with gaps of at most 30 minutes. A visit counts at the time it started and is not split at midnight.",
    ),
  },
  pageviews: { label: msg("Pageviews"), unit: "count", about: msg("Pages viewed, including reloads.") },
  events: {
    label: msg("Events"),
    unit: "count",
    about: msg("Custom and commerce events. Passive events, pageviews, engagement and web vitals are not counted."),
  },
  views_per_visit: {
    label: msg("Views per visit"),
    unit: "ratio",
    about: msg(
      "Pageviews divided by visits, where both are known. Pageviews sent by a server without a visit count too.",
    ),
  },
  bounce_rate: {
    label: msg("Bounce rate"),
    unit: "fraction",
    about: msg(
      "Share of visits with fewer than two pageviews and no interactive event, of the visits that it is known of.",
    ),
  },
  visit_duration: {
    label: msg("Visit duration"),
    unit: "seconds",
    about: msg(
      "Average time from the first to the last activity of a visit, engagement included, of the visits that it is known of.",
    ),
  },
  time_on_page: {
    label: msg("Time on page"),
    unit: "seconds",
    about: msg(
      "Time a page was visible and focused, divided by pageviews other than imported ones. Unknown until a page has reported engagement.",
    ),
  },
  scroll_depth: {
    label: msg("Scroll depth"),
    unit: "fraction",
    about: msg("Average maximum scroll depth over the pages of each visit."),
  },
} as const;
export type Metric = keyof typeof METRICS;

/** How far first touch looks back from a conversion. */
export const ATTRIBUTION_DAYS = 30;

/** Which visit conversions and revenue are given to, by source and campaign. */
export const ATTRIBUTIONS = {
  last: {
    label: "Last touch",
    about: "Conversions and revenue are given to the source and campaign of the visit in which they happened.",
  },
  first: {
    label: "First touch",
    about: `Conversions and revenue are given to the source and campaign of the first visit of the same visitor within the ${ATTRIBUTION_DAYS} days before them. Visitors are recognised within one local day, because the salt of their pseudonym changes every day; only people whom the site names by a user id are recognised for all ${ATTRIBUTION_DAYS} days.`,
  },
} as const;
export type Attribution = keyof typeof ATTRIBUTIONS;

/** What visits led to. It is computed where it is asked for. */
export const OUTCOMES = {
  conversions: {
    label: msg("Conversions"),
    unit: "count",
    about: msg(
      "Events that reach the chosen goal or, without one, any goal of the site; on a site without goals, custom and commerce events other than refunds. They have the source of their visit and, by page, the page on which they happened. Imported days have none.",
    ),
  },
  conversion_rate: {
    label: msg("Conversion rate"),
    unit: "fraction",
    about: msg("Unique visitors who converted, divided by visitors, at most 1. Unknown without visitors."),
  },
  conversion_value: {
    label: msg("Conversion value"),
    unit: "money",
    about: msg(
      "What conversions are worth by the values of their goals, in the currency of the site: a fixed amount, the number in a property of the event, or its revenue. An event that reaches several goals has the value of each. Without a goal that has a value it is 0.",
    ),
  },
  revenue: {
    label: msg("Revenue"),
    unit: "money",
    about: msg(
      "What events with revenue brought, in the currency of the site. An order that is sent twice counts once, and refunds are subtracted.",
    ),
  },
  orders: {
    label: msg("Orders"),
    unit: "count",
    about: msg("Purchases. An order that is sent twice counts once, by its earliest purchase in the range."),
  },
  average_order_value: {
    label: msg("Average order"),
    unit: "money",
    about: msg("Revenue of orders, divided by the orders whose amount is known in the currency of the site."),
  },
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** Those that a goal is about. */
export const OF_GOALS: readonly Outcome[] = ["conversions", "conversion_rate", "conversion_value"];

/** Those of several sites. Values of goals are amounts in the currency of their site, so they are not added up. */
export const SUMMED_OUTCOMES = [
  "conversions",
  "conversion_rate",
  "revenue",
  "orders",
  "average_order_value",
] as const satisfies Outcome[];

/** Everything that can be measured. */
export const MEASURES = { ...METRICS, ...OUTCOMES };
export type Measure = keyof typeof MEASURES;
