import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/query/event-types";
import {
  dictionaryColumns,
  dictionaryNames,
  type ExportedField,
  exportedExtras,
  exportedFields,
  extraOf,
} from "@/lib/ingest/event/catalogue";
import { msg } from "@/lib/texts/translate";

/**
 * Where a dimension's values are stored. A `visit` dimension is fixed for the whole visit, and each event carries its
 * visit's (all but entry and exit, which only the visit has); an `event` dimension is that of the one event.
 */
interface Dimension extends Texts {
  level: "visit" | "event";
  /** The column of a fact called `fact` that holds the id of the value. */
  fact: string;
  /** The dictionary, and its column that holds the value; `''` where it is unknown. */
  dictionary: string | null;
  word: string;
  /** The types of events that have a value of it; all when not given. */
  types?: readonly number[];
}

interface Texts {
  label: string;
  about: string;
}

type StoredIn = Pick<Dimension, "fact" | "dictionary" | "word">;

/** The place of each field of an exported line that the catalogue declares. */
const PLACES = Object.fromEntries(
  dictionaryNames.flatMap((dictionary) => {
    const columns = [...dictionaryColumns(dictionary), ...extraOf(dictionary)];
    const fields = [...exportedFields(dictionary), ...exportedExtras(dictionary)];
    return fields.map((field, index) => [field, { fact: `fact.${dictionary}`, dictionary, word: columns[index] }]);
  }),
) as Record<ExportedField, StoredIn>;

const ofVisit = (field: ExportedField, label: string, about: string) => ({
  ...PLACES[field],
  label,
  about,
  level: "visit" as const,
});
const ofEvent = (field: ExportedField, types: readonly number[], label: string, about: string) => ({
  ...ofVisit(field, label, about),
  level: "event" as const,
  types,
});
/** Who runs a robot and why: the copy for reports has them beside the robot's name. */
const ofRobot = (word: "operator" | "purpose", label: string, about: string) => ({
  ...ofVisit("bot", label, about),
  dictionary: "robot",
  word,
});

/** All dimensions: filters, explore, filter options, docs and dashboard read this one table. */
export const DIMENSIONS = {
  page: ofEvent("path", VIEWS, msg("Page"), msg("The path of the page that was seen.")),
  entry_page: {
    ...ofVisit(
      "path",
      msg("Entry page"),
      msg("The path of a visit's first page; a visit without a page is in no row."),
    ),
    fact: "fact.entry_page",
  },
  exit_page: {
    ...ofVisit("path", msg("Exit page"), msg("The path of a visit's last page; a visit without a page is in no row.")),
    fact: "fact.exit_page",
  },
  hostname: ofEvent("hostname", VIEWS, msg("Hostname"), msg("The host of the page that was seen, without www.")),
  title: ofEvent("title", VIEWS, msg("Title"), msg("The title that the page had when it was first seen.")),
  source: ofVisit("source", msg("Source"), msg("Where the visit came from, by name; unknown for a direct one.")),
  referrer: ofVisit("referrer", msg("Referrer"), msg("The address that linked to the visit's first page.")),
  channel: ofVisit("channel", msg("Channel"), msg("The kind of source, by the rules of /docs/metrics.")),
  channel_rule: ofVisit(
    "channel_rule",
    msg("Channel rule"),
    msg("The id of the rule that chose the channel; /docs/metrics says when each applies."),
  ),
  utm_source: ofVisit("utm_source", msg("UTM source"), msg("utm_source of the visit's first page.")),
  utm_medium: ofVisit("utm_medium", msg("UTM medium"), msg("utm_medium of the visit's first page.")),
  utm_campaign: ofVisit("utm_campaign", msg("UTM campaign"), msg("utm_campaign of the visit's first page.")),
  utm_term: ofVisit("utm_term", msg("UTM term"), msg("utm_term of the visit's first page.")),
  utm_content: ofVisit("utm_content", msg("UTM content"), msg("utm_content of the visit's first page.")),
  country: ofVisit("country", msg("Country"), msg("Two-letter code (ISO 3166-1) of where the visit came from.")),
  region: ofVisit("region", msg("Region"), msg("The region of the country.")),
  city: ofVisit("city", msg("City"), msg("The city, where the site keeps it.")),
  device: ofVisit("device", msg("Device"), msg("Desktop, Mobile, Tablet, or “TV or console”.")),
  browser: ofVisit("browser", msg("Browser"), msg("The browser's name.")),
  browser_version: ofVisit("browser_version", msg("Browser version"), msg("The browser's major version.")),
  os: ofVisit("os", msg("Operating system"), msg("The operating system's name.")),
  os_version: ofVisit("os_version", msg("OS version"), msg("The operating system's version.")),
  language: ofVisit("language", msg("Language"), msg("The browser's first language.")),
  screen: ofVisit("screen", msg("Screen"), msg("The class of the screen's width.")),
  traffic: {
    label: msg("Traffic"),
    about: msg("The class of the event: human, bot, ai, spam or suspicious. It chooses within the traffic filter."),
    level: "visit",
    fact: "fact.traffic",
    dictionary: null,
    word: "word",
  },
  bot: ofVisit("bot", msg("Robot"), msg("The name of the robot, for events that are not a person's.")),
  bot_operator: ofRobot(
    "operator",
    msg("Robot operator"),
    msg("Who runs the robot, such as OpenAI; unknown for most that are not AI."),
  ),
  bot_purpose: ofRobot(
    "purpose",
    msg("Robot purpose"),
    msg("What the robot reads pages for, such as training; /docs/metrics lists them."),
  ),
  event: ofEvent(
    "name",
    NAMED_EVENTS,
    msg("Event"),
    msg("The name of a custom or commerce event; pageviews have none."),
  ),
} as const satisfies Record<string, Dimension>;

export type DimensionKey = keyof typeof DIMENSIONS;
/** What rows can be made by: a dimension, or a custom property of events such as `prop:plan`. */
export type BreakdownKey = DimensionKey | `prop:${string}`;
export const dimensionOf = (key: DimensionKey): Dimension => DIMENSIONS[key];
/** The name of the property that rows are made by; null for a dimension. */
export const propertyIn = (key: BreakdownKey): string | null => (key.startsWith("prop:") ? key.slice(5) : null);
/** Whether a value is that of one event, not of its visit. */
export const isOfEvents = (key: BreakdownKey): boolean =>
  propertyIn(key) !== null || dimensionOf(key as DimensionKey).level === "event";
export const isDimension = (key: string): key is DimensionKey => Object.hasOwn(DIMENSIONS, key);

/** The dimensions of the rollup and of imported sums, with their numbers there. */
export const ROLLED: Partial<Record<DimensionKey, number>> = {
  page: 1,
  entry_page: 2,
  exit_page: 3,
  source: 4,
  channel: 5,
  country: 6,
  region: 7,
  city: 8,
  device: 9,
  browser: 10,
  os: 11,
  event: 12,
  utm_source: 13,
  utm_medium: 14,
  utm_campaign: 15,
};

/** The number that stands for no dimension: sums of whole days. */
export const EVERYTHING = 0;

/** Dimensions of visits that events do not carry. */
export const ONLY_ON_VISITS: ReadonlySet<string> = new Set<DimensionKey>(["entry_page", "exit_page"]);

/** Dimensions of robots: what they choose has no people. */
export const ROBOT_DIMENSIONS: ReadonlySet<string> = new Set<DimensionKey>(["bot", "bot_operator", "bot_purpose"]);

/** Dimensions whose values are paths of the site. */
export const PAGE_DIMENSIONS: readonly DimensionKey[] = ["page", "entry_page", "exit_page"];

/** Dimensions whose values are percent-encoded paths, or end with one. */
export const HAS_PATHS: ReadonlySet<string> = new Set<DimensionKey>([...PAGE_DIMENSIONS, "referrer"]);

/** What a public dashboard shows, and what its visitors may filter by. */
const PUBLIC_DIMENSIONS: ReadonlySet<string> = new Set<DimensionKey>([
  ...(["page", "entry_page", "exit_page", "source", "channel"] as const),
  ...(["country", "region", "city", "device", "browser", "os"] as const),
]);

export const isPublicDimension = (key: string): boolean => PUBLIC_DIMENSIONS.has(key);
