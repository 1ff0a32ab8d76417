/** The words of the product, each with the sentence a person reads. Everything else derives from these tables. */

export const ROLES = {
  viewer: { rank: 1, about: "reads every report of the site" },
  manager: { rank: 2, about: "also changes the site's settings" },
  owner: { rank: 3, about: "also decides who may, and may delete the site" },
} as const;
export type Role = keyof typeof ROLES;

/** Whether a role may change what a site has saved, and its settings. */
export const manages = (role: Role): boolean => ROLES[role].rank >= ROLES.manager.rank;

export const SCOPES = {
  "sites:read": "See your sites and their settings",
  "sites:write": "Change the settings of your sites",
  "sites:create": "Add new sites",
  "sites:delete": "Delete sites and all their data",
  "members:read": "See who the members of your sites are, with their e-mail addresses",
  "teams:write": "Invite members to your sites, remove them, change their roles, and transfer a site to one of them",
  "analytics:read": "Read the reports of your sites",
  "events:read": "Export the single events of your sites, which show what one visitor did in a day",
  "account:read": "See your e-mail address, and what it may do",
} as const;
export type Scope = keyof typeof SCOPES;

/** Whether a human may consent to these scopes without choosing any site: some of them need none that exists already. */
export const mayHaveNoSites = (scopes: readonly Scope[]): boolean =>
  scopes.includes("sites:create") || scopes.includes("account:read");

/** What an operation can do to its owner. The risk alone decides the HTTP method and whether a human is asked. */
export const RISKS = {
  none: { method: "GET", needsApproval: false, about: "reads only" },
  write: { method: "POST", needsApproval: false, about: "makes or changes something that is easily put right" },
  configuration: { method: "POST", needsApproval: true, about: "changes how the site measures" },
  sharing: { method: "POST", needsApproval: true, about: "can show data to others" },
  access: { method: "POST", needsApproval: true, about: "changes who may act" },
  security: { method: "POST", needsApproval: true, about: "changes what the site trusts" },
  destructive: { method: "POST", needsApproval: true, about: "cannot be undone" },
} as const;
export type Risk = keyof typeof RISKS;

/** The class of a hit, as stored in facts. Nothing is thrown away: a report chooses its classes by the traffic lens. */
export const TRAFFIC_CLASSES = { human: 1, bot: 2, ai: 3, spam: 4, suspicious: 5 } as const;
export type TrafficClass = keyof typeof TRAFFIC_CLASSES;

/** The traffic lens of a report. */
export const TRAFFIC = {
  human: "People",
  all: "Everything",
  bot: "Bots",
  ai: "AI agents and crawlers",
  spam: "Referrer spam",
  suspicious: "Suspicious",
} as const;
export type Traffic = keyof typeof TRAFFIC;

/** The number of a lens: that of its one class of traffic, 0 for all of them. */
export const lensOf = (traffic: Traffic): number => (traffic === "all" ? 0 : TRAFFIC_CLASSES[traffic]);

/**
 * What an event was, as stored in facts. A `screen` of an app counts like a pageview. A `commerce` event counts among the
 * events and ends a bounce like any custom one; a `passive` custom event, `identify`, `exposure` (a visitor saw a variant
 * of an experiment) and `vitals` do neither.
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

/** The named ranges of a report, in the order of their menu. */
export const PERIODS = {
  today: "Today",
  yesterday: "Yesterday",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "28d": "Last 28 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "6mo": "Last 6 months",
  "12mo": "Last 12 months",
  month: "This month",
  last_month: "Last month",
  year: "This year",
  all: "All time",
  custom: "Custom range",
} as const;

/** What an annotation is about, each with its label. */
export const ANNOTATION_KINDS = {
  deploy: "Deploy",
  campaign: "Campaign",
  incident: "Incident",
  note: "Note",
} as const;
export type AnnotationKind = keyof typeof ANNOTATION_KINDS;

/** Each headline metric with its unit and its one definition. Docs, API descriptions and tooltips all read it here. */
export const METRICS = {
  visitors: {
    label: "Visitors",
    unit: "count",
    about:
      "Distinct people, recognised within one local day of the site. Over several days it is the sum of the days, because nobody is recognised from one day to the next.",
  },
  visits: {
    label: "Visits",
    unit: "count",
    about:
      "Series of events of one visitor with silences of at most 30 minutes. A visit belongs to the moment it began and is not cut at midnight.",
  },
  pageviews: { label: "Pageviews", unit: "count", about: "Pages that were opened, including reloads." },
  events: {
    label: "Events",
    unit: "count",
    about:
      "Custom and commerce events that somebody caused; pageviews, passive events and reports of a page are not counted.",
  },
  views_per_visit: {
    label: "Views per visit",
    unit: "ratio",
    about: "Pageviews divided by visits. Pageviews that a server sends without a visit count too.",
  },
  bounce_rate: {
    label: "Bounce rate",
    unit: "fraction",
    about: "Share of visits with fewer than two pageviews and no interactive event.",
  },
  visit_duration: {
    label: "Visit duration",
    unit: "seconds",
    about: "Average time from a visit's first activity to its last, engagement included.",
  },
  time_on_page: {
    label: "Time on page",
    unit: "seconds",
    about: "Time a page was visible and focused, divided by pageviews. Unknown while no page has reported engagement.",
  },
  scroll_depth: {
    label: "Scroll depth",
    unit: "fraction",
    about: "Average, over the pages of each visit, of the furthest point scrolled to.",
  },
} as const;
export type Metric = keyof typeof METRICS;
