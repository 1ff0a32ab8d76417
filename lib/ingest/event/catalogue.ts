/**
 * The rows of events and visits: their columns, and the dictionaries whose ids they hold, each declared once. Ingest, the copy for
 * reports, erasure, the sweep of unused values, export and import derive their SQL from it. CONTRIBUTING.md
 * says what a new dimension needs besides its entry here.
 */

/** No visit is longer: by then the salt of its visitor is deleted. */
export const LONGEST_VISIT_MS = 48 * 3600_000;
/** How far from the beginning of a visit its events may lie: clocks of servers differ a little. */
export const VISIT_SPAN_MS = LONGEST_VISIT_MS + 3600_000;

interface Dictionary {
  /** The columns that make a value, each with its name in an exported line. */
  columns: Readonly<Record<string, string>>;
  /** A column that is set when a value is first seen and is not part of it, with its name in an exported line. */
  extra?: Readonly<Record<string, string>>;
  /** Whether an event may have no value: its id is 0 then. */
  optional?: true;
  /** How many new values one site may add a day. */
  newPerDay: number;
}

export const DICTIONARIES = {
  page: {
    columns: { hostname: "hostname", path: "path" },
    extra: { title: "title" },
    optional: true,
    newPerDay: 20_000,
  },
  referrer: {
    columns: { source: "source", channel: "channel", rule: "channel_rule", url: "referrer" },
    newPerDay: 5_000,
  },
  campaign: {
    columns: {
      source: "utm_source",
      medium: "utm_medium",
      campaign: "utm_campaign",
      term: "utm_term",
      content: "utm_content",
    },
    optional: true,
    newPerDay: 2_000,
  },
  place: {
    columns: { country: "country", region: "region", city: "city", language: "language" },
    newPerDay: 5_000,
  },
  agent: {
    columns: {
      browser: "browser",
      browser_version: "browser_version",
      os: "os",
      os_version: "os_version",
      device: "device",
      screen: "screen",
      bot: "bot",
    },
    newPerDay: 2_000,
  },
  name: { columns: { name: "name" }, optional: true, newPerDay: 1_000 },
  /** Why a visit is not human. */
  verdict: {
    columns: {
      traffic: "verdict_traffic",
      reason: "verdict_reason",
      bot: "verdict_bot",
      operator: "verdict_operator",
      purpose: "verdict_purpose",
      verified: "verdict_verified",
      version: "verdict_version",
    },
    optional: true,
    newPerDay: 1_000,
  },
} as const satisfies Record<string, Dictionary>;

export type DictionaryName = keyof typeof DICTIONARIES;
export const dictionaryNames = Object.keys(DICTIONARIES) as DictionaryName[];
type ColumnsOf<Name extends DictionaryName> = (typeof DICTIONARIES)[Name]["columns"];

/** The value of an event in a dictionary, by column; '' is unknown. */
export type ValueOf<Name extends DictionaryName> = Record<keyof ColumnsOf<Name>, string>;
/** The fields of an exported line that hold the value. */
export type ExportedField<Name extends DictionaryName = DictionaryName> = Name extends DictionaryName
  ? ColumnsOf<Name>[keyof ColumnsOf<Name>] | (Name extends "page" ? "title" : never)
  : never;

const entryOf = (name: DictionaryName): Dictionary => DICTIONARIES[name];
export const dictionaryColumns = (name: DictionaryName): readonly string[] => COLUMNS[name];
export const extraOf = (name: DictionaryName): readonly string[] => EXTRAS[name];
/** Returns the value of which nothing is known. */
export const unknownValue = <Name extends DictionaryName>(name: Name): Readonly<ValueOf<Name>> =>
  UNKNOWN[name] as Readonly<ValueOf<Name>>;

/** What is asked for with each event is made once. */
const ofEach = <Made>(make: (name: DictionaryName) => Made): Readonly<Record<DictionaryName, Made>> =>
  Object.fromEntries(dictionaryNames.map((name) => [name, make(name)])) as Record<DictionaryName, Made>;
const COLUMNS = ofEach((name) => Object.keys(entryOf(name).columns));
const EXTRAS = ofEach((name) => Object.keys(entryOf(name).extra ?? {}));
const UNKNOWN = ofEach((name) => Object.freeze(Object.fromEntries(COLUMNS[name].map((column) => [column, ""]))));
export const isOptional = (name: DictionaryName): boolean => entryOf(name).optional ?? false;
/** Returns the fields of an exported line that hold the columns of a dictionary, in their order. */
export const exportedFields = (name: DictionaryName): ExportedField[] =>
  Object.values(entryOf(name).columns) as ExportedField[];
export const exportedExtras = (name: DictionaryName): ExportedField[] =>
  Object.values(entryOf(name).extra ?? {}) as ExportedField[];

type PostgresType = "timestamptz" | "bigint" | "int" | "smallint" | "numeric" | "text" | "jsonb";

export interface FactColumn {
  /** Its type in Postgres. */
  type: PostgresType;
  /** Its type in the copy for reports; null for a column that reports do not read. */
  copied: string | null;
  /** The dictionary whose ids it holds. */
  of?: DictionaryName;
  /** Whether Postgres stores null where there is no value, which is 0 in the copy. */
  nullable?: true;
}

const id = (of: DictionaryName): FactColumn => ({ type: "int", copied: "INTEGER", of });

/** The columns of events, in the order of the copy's columns; all but `site_id`. */
export const EVENT = {
  ts: { type: "timestamptz", copied: "TIMESTAMP" },
  seq: { type: "bigint", copied: "BIGINT" },
  visit_id: { type: "bigint", copied: "BIGINT" },
  visitor_id: { type: "bigint", copied: "BIGINT" },
  name: { ...id("name"), nullable: true },
  page: id("page"),
  referrer: id("referrer"),
  campaign: { ...id("campaign"), nullable: true },
  place: id("place"),
  agent: id("agent"),
  type: { type: "smallint", copied: "TINYINT" },
  traffic: { type: "smallint", copied: "TINYINT" },
  engagement_ms: { type: "int", copied: "INTEGER" },
  scroll: { type: "smallint", copied: "TINYINT" },
  user_hash: { type: "bigint", copied: "BIGINT" },
  revenue: { type: "numeric", copied: "DECIMAL(38, 18)" },
  currency: { type: "text", copied: "VARCHAR" },
  props: { type: "jsonb", copied: "MAP(VARCHAR, VARCHAR)" },
  /** The HTTP status that a page was answered with, where its sender knows it: access logs and servers do, browsers do not. */
  status: { type: "smallint", copied: "SMALLINT", nullable: true },
} as const satisfies Record<string, FactColumn>;

/** The columns of visits, in the order of the copy's columns; all but `site_id`. */
export const VISIT = {
  started: { type: "timestamptz", copied: "TIMESTAMP" },
  visit_id: { type: "bigint", copied: "BIGINT" },
  visitor_id: { type: "bigint", copied: "BIGINT" },
  duration_ms: { type: "int", copied: "INTEGER" },
  entry_page: id("page"),
  exit_page: id("page"),
  referrer: id("referrer"),
  campaign: id("campaign"),
  place: id("place"),
  agent: id("agent"),
  pageviews: { type: "smallint", copied: "SMALLINT" },
  interactions: { type: "smallint", copied: "SMALLINT" },
  traffic: { type: "smallint", copied: "TINYINT" },
  user_hash: { type: "bigint", copied: null },
  verdict: id("verdict"),
} as const satisfies Record<string, FactColumn>;

/** The columns of returning visitors that hold ids. Copies do not have this table. */
const RETURNING_VISITOR = {
  referrer: { ...id("referrer"), copied: null },
  campaign: { ...id("campaign"), copied: null },
  place: { ...id("place"), copied: null },
  agent: { ...id("agent"), copied: null },
} as const satisfies Record<string, FactColumn>;

export type EventColumn = keyof typeof EVENT;
export type VisitColumn = keyof typeof VISIT;
export type FactTable = "event" | "visit" | "returning_visitor";

/** Returns the columns of a table, each with its name. */
export const columnsOfFacts = (table: FactTable): [name: string, column: FactColumn][] =>
  Object.entries({ event: EVENT, visit: VISIT, returning_visitor: RETURNING_VISITOR }[table]);

/** The columns that tell the events of one visit at one time apart: all that never change. */
export const EVENT_CONTENT = [
  "type",
  "name",
  "page",
  "engagement_ms",
  "scroll",
  "user_hash",
  "revenue",
  "currency",
  "props",
  "status",
] as const satisfies EventColumn[];

/** Returns the columns of a table that hold ids of a dictionary. */
export const idColumns = (table: FactTable, dictionary: DictionaryName): string[] =>
  columnsOfFacts(table).flatMap(([name, { of }]) => (of === dictionary ? name : []));
