import type { SettingValues } from "@/lib/contract/site-settings";
import { DAY_SALT_HOURS, LIVE_TEST_MINUTES, PAGE_KEY_DAYS, TIMED_DAYS } from "@/lib/contract/storage-times";
import type { DICTIONARIES, DictionaryName, EventColumn, VisitColumn } from "@/lib/ingest/event/catalogue";
import { describeRetentionMonths } from "@/lib/sites/retention-text";

/**
 * Every field that the service stores of visitors, in people's words. The types demand a text for each column of the
 * catalogue, and a test compares all of them with the tables of the database.
 */

/** What a text about a site depends on. */
export interface SiteData extends SettingValues<"privacy"> {
  /** For how many months data is kept; null is forever. */
  retention_months: number | null;
  /** Whether anyone can open the dashboard. */
  public: boolean;
  /** Whether events of the last 30 days named a user. */
  user_ids: boolean;
}

export interface StoredGroup {
  title: string;
  /** Its tables in the database. */
  tables: readonly string[];
  /** How long it is kept, as a sentence. */
  kept(site: Pick<SiteData, "retention_months">): string;
  /** Whether a site has it. */
  applies?(site: SiteData): boolean;
  fields: Readonly<Record<string, string>>;
}

const EVENT = {
  ts: "time of the event: when it arrived, or when its sender says that it happened",
  seq: "running number of the row",
  visit_id: "random number of the visit, the same for all its events",
  visitor_id:
    "pseudonym of the visitor: a keyed hash (HMAC-SHA256) of IP address and user agent with the random salt of the day, new each day; with a user id, the pseudonym of that id",
  name: "name of a custom event",
  page: "which page",
  referrer: "which source",
  campaign: "which campaign",
  place: "which location and language",
  agent: "which browser and device",
  type: "pageview, custom event, order, web vitals or another kind",
  traffic: "human, bot, AI, spam or suspicious",
  engagement_ms: "how long the page was read",
  scroll: "how far it was scrolled, in percent",
  user_hash: "pseudonym of the user id, only if your pages or servers send one: a keyed hash that no other site shares",
  revenue: "amount of an order, if your pages or servers send one",
  currency: "its currency",
  props: "the properties that your pages or servers send with an event",
  status: "HTTP status of the page, if a server or an access log told it",
} as const satisfies Record<EventColumn, string>;

const VISIT = {
  started: "time at which the visit began",
  visit_id: "random number of the visit",
  visitor_id: "pseudonym of the visitor, as above",
  duration_ms: "its length",
  entry_page: "its first page",
  exit_page: "its last page",
  referrer: "which source",
  campaign: "which campaign",
  place: "which location and language",
  agent: "which browser and device",
  pageviews: "number of pageviews",
  interactions: "number of events that end a bounce",
  traffic: "human, bot, AI, spam or suspicious",
  user_hash: "pseudonym of the user id, as above",
  verdict: "why the visit is not human",
} as const satisfies Record<VisitColumn, string>;

type Columns<Name extends DictionaryName> =
  | keyof (typeof DICTIONARIES)[Name]["columns"]
  | (Name extends "page" ? "title" : never);

/** The values that events and visits refer to, which are stored once for all of them. */
const VALUES: { [Name in DictionaryName]: { title: string; fields: Readonly<Record<Columns<Name>, string>> } } = {
  page: {
    title: "Pages",
    fields: {
      hostname: "host name",
      path: "path, without a query, except for the parameters that you chose",
      title: "title",
    },
  },
  referrer: {
    title: "Sources",
    fields: {
      source: "name of the source, such as a search engine",
      channel: "channel",
      rule: "the rule that chose the channel",
      url: "address of the page that linked here, without its query",
    },
  },
  campaign: {
    title: "Campaigns",
    fields: {
      source: "`utm_source` of the first page's address",
      medium: "`utm_medium`",
      campaign: "`utm_campaign`",
      term: "`utm_term`",
      content: "`utm_content`",
    },
  },
  place: {
    title: "Locations and languages",
    fields: {
      country: "country, looked up from the IP address in a local database",
      region: "region, likewise",
      city: "city, likewise",
      language: "language of the browser",
    },
  },
  agent: {
    title: "Browsers and devices",
    fields: {
      browser: "name of the browser",
      browser_version: "its main version",
      os: "operating system",
      os_version: "its version",
      device: "kind of device, such as phone",
      screen: "width of the window, in classes",
      bot: "name of a robot",
    },
  },
  name: { title: "Names of events", fields: { name: "the name that your pages or servers send" } },
  verdict: {
    title: "Reasons why a visit is not human",
    fields: {
      traffic: "bot, AI, spam or suspicious",
      reason: "the rule that decided",
      bot: "name of the robot",
      operator: "who runs it",
      purpose: "what it is for",
      verified: "whether its signature was verified",
      version: "version of the lists",
    },
  },
};

const asLongAsData = ({ retention_months: months }: Pick<SiteData, "retention_months">): string =>
  months === null
    ? "Kept until you delete the site, because no limit is set."
    : `Deleted after ${describeRetentionMonths(months)}.`;

export const STORED: readonly StoredGroup[] = [
  { title: "Events", tables: ["event"], kept: asLongAsData, fields: EVENT },
  { title: "Visits", tables: ["visit"], kept: asLongAsData, fields: VISIT },
  ...Object.entries(VALUES).map(([name, { title, fields }]) => ({
    title,
    tables: [name],
    kept: () => "Deleted with the last event and visit that has the value.",
    fields,
  })),
  {
    title: "Days of returning visitors",
    tables: ["returning_visitor"],
    kept: asLongAsData,
    applies: ({ retention_salt }) => retention_salt,
    fields: {
      pseudonym:
        "keyed hash with the random salt of the month; stored nowhere else, so that it leads to no visit or event",
      month: "month",
      day: "day with a visit",
      referrer: "source of the first visit of that day",
      campaign: "campaign",
      place: "location and language",
      agent: "browser and device",
      traffic: "human, bot, AI, spam or suspicious",
    },
  },
  {
    title: "Salt of the day",
    tables: ["site_salt"],
    kept: () => `Deleted after the following day, and after ${DAY_SALT_HOURS} hours at the latest.`,
    fields: {
      day: "day",
      salt: "32 random bytes, without which nobody can compute a pseudonym again",
      expires_at: "when it is deleted",
    },
  },
  {
    title: "Salt of the month",
    tables: ["site_month_salt"],
    kept: () => "Deleted at the end of the month.",
    applies: ({ retention_salt }) => retention_salt,
    fields: { month: "month", salt: "32 random bytes", expires_at: "when it is deleted" },
  },
  {
    title: "Ids of events from browsers",
    tables: ["page_key"],
    kept: () => `Deleted after ${PAGE_KEY_DAYS} days.`,
    fields: { key: "hash of the random id of an event, so that a repeated event counts once", day: "day" },
  },
  {
    title: "Ids of events that senders chose",
    tables: ["event_key"],
    kept: asLongAsData,
    fields: { key: "hash of the id, such as an order number", day: "day" },
  },
  {
    title: "Order of late events",
    tables: ["timed_visitor"],
    kept: () => `Only for events whose sender says when they happened; deleted ${TIMED_DAYS} days after that time.`,
    fields: {
      ts: "time of the event",
      visitor_id: "pseudonym of the visitor, as above",
      visitors: "the pseudonyms that the visitor may have had before and after midnight",
      seq: "running number of the event",
      referrer: "which source",
      campaign: "which campaign",
      place: "which location and language",
      agent: "which browser and device",
      traffic: "human, bot, AI, spam or suspicious",
      verdict: "why it is not human",
    },
  },
  {
    title: "Counts of a day",
    tables: ["intake"],
    kept: asLongAsData,
    fields: {
      day: "day",
      outcome: "stored, filtered, refused or replaced",
      reason: "why, or which kind of personal data was replaced where",
      events: "number",
      example: "the last text in which personal data was replaced, without that data",
    },
  },
  {
    title: "Imported sums",
    tables: ["imported"],
    kept: asLongAsData,
    fields: {
      day: "day",
      dimension: "what is counted, such as countries",
      value: "its value",
      source: "the service that counted it",
      visitors: "visitors",
      visits: "visits",
      bounces: "bounces",
      duration_ms: "sum of lengths",
      pageviews: "pageviews",
      events: "events",
    },
  },
  {
    title: "Live test",
    tables: ["tracking_event", "tracking_count"],
    kept: () => `Only while you run a live test; deleted ${LIVE_TEST_MINUTES} minutes after its end.`,
    fields: {
      started_at: "start of the test",
      at: "time of an event",
      record: "how the event was read: page, source, location, browser, properties and why it was stored or not",
      outcome: "stored, filtered or refused",
      traffic: "class of traffic",
      events: "number of events",
    },
  },
];

/** What is never stored, whatever the settings of a site are. */
export const NEVER_STORED: readonly string[] = [
  "IP addresses",
  "user agents and other headers of requests, as they were sent",
  "cookies and identifiers on the visitor's device",
  "fingerprints: fonts, graphics, sound and the like are not read",
  "user ids as they were sent",
  "click ids of advertisers, such as `gclid`",
  "what visitors type, except for the search terms and properties that your pages send",
];

/** The fields of one site's record, which leaves out what the site has not turned on. */
export const storedBy = (site: SiteData): StoredGroup[] =>
  STORED.filter(({ applies }) => applies?.(site) ?? true).map((group) =>
    group.tables.includes("place") ? { ...group, fields: withoutHidden(group.fields, site) } : group,
  );

/** The parts of a location that each precision stores. */
const LOCATION = ["country", "region", "city"] as const;

const withoutHidden = (fields: Readonly<Record<string, string>>, { geo_precision: precision }: SiteData) => {
  const hidden: readonly string[] = LOCATION.slice(LOCATION.indexOf(precision as (typeof LOCATION)[number]) + 1);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name)));
};
