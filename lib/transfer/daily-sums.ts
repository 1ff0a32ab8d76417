import { type DimensionKey, ROLLED } from "@/lib/analytics/dimensions";

/** What another service tells: what a day came to, by a word of one dimension. */
export interface DailySum {
  /** As in `facts.imported`: a dimension by its number, 0 for everything. */
  dimension: number;
  /** A date of the other service's own zone. */
  day: string;
  /** `''` where it is unknown. */
  word: string;
  visitors: number;
  visits: number;
  bounces: number;
  duration_ms: number;
  pageviews: number;
  events: number;
}

/** Everything, without a dimension. */
export const EVERYTHING = 0;

/** The number of a dimension that sealed days are added up by. */
export function numberIn(key: DimensionKey): number {
  const number = ROLLED[key];
  if (number === undefined) throw new Error(`no rollup knows ${key}`);
  return number;
}

/** How the rows of a file are read, once its header is known: as rows of a table that lives as long as the import. */
export interface Reader {
  into: keyof typeof TABLES;
  /** @throws Error that says what is wrong with a row. */
  read(fields: readonly string[]): object[];
}

/** A service whose files are known by their headers. */
export interface Service {
  name: string;
  /** Null for another's file. */
  reader(header: readonly string[]): Reader | null;
  /** SQL that adds up into `given` what was read into other tables; $1: when each local day begins, $2: its date. */
  addUp?: string;
}

/** The tables of an import. Postgres adds up: an export of years has more words than memory should hold. */
export const TABLES = {
  given: {
    make: `CREATE TEMP TABLE given (dimension smallint, day date, word text, visitors bigint, visits bigint, bounces bigint,
             duration_ms bigint, pageviews bigint, events bigint) ON COMMIT DROP`,
    add: "INSERT INTO given SELECT * FROM jsonb_populate_recordset(NULL::given, $1::jsonb)",
  },
  hit: {
    make: `CREATE TEMP TABLE hit (website text, session text, visit text, at timestamptz, is_view boolean, path text, name text, source text,
             channel text, utm_source text, utm_medium text, utm_campaign text, browser text, os text, device text,
             country text) ON COMMIT DROP`,
    add: "INSERT INTO hit SELECT * FROM jsonb_populate_recordset(NULL::hit, $1::jsonb)",
  },
  sitting: {
    make: `CREATE TEMP TABLE sitting (session text, browser text, os text, device text, country text) ON COMMIT DROP`,
    add: "INSERT INTO sitting SELECT * FROM jsonb_populate_recordset(NULL::sitting, $1::jsonb)",
  },
} as const;

/** What stands under a name in the header; `''` where there is no such column. */
export const columnsOf =
  (header: readonly string[]) =>
  (fields: readonly string[]) =>
  (name: string): string =>
    fields[header.indexOf(name)] ?? "";

/** @throws Error for what is no number from 0 on. */
export function numberOf(text: string, name: string): number {
  const value = text === "" ? 0 : Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is no number: ${text}`);
  return value;
}

/** @throws Error for what is no date. Of a time of day only the date counts. */
export function dateOf(text: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:\D|$)/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  if (!year || Number.isNaN(Date.parse(date))) throw new Error(`this is no date: ${text}`);
  return date;
}
