import { type DimensionKey, ROLLED } from "@/lib/analytics/query/dimensions";
import { clip } from "@/lib/platform/text";

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

/** The number of a dimension that sealed days are added up by. */
export function numberIn(key: DimensionKey): number {
  const number = ROLLED[key];
  if (number === undefined) throw new Error(`no rollup knows ${key}`);
  return number;
}

/** How a file begins: its name, the comment lines before the header, and the header. */
export interface FileHead {
  name: string;
  comments: readonly string[];
  header: readonly string[];
}

/** How the rows of a file are read: as rows of a temporary table. */
export interface Reader {
  into: keyof typeof TABLES;
  /** What the file does not say, and what is stored for it. */
  note?: string;
  /** Why a row is left out; null for a row to read. */
  leftOut?(fields: readonly string[]): string | null;
  /** @throws Error that says what is wrong with a row. */
  read(fields: readonly string[]): object[];
}

/** A file that is understood and has nothing to import, with the reason. */
export interface LeftOut {
  leftOut: string;
}

export interface Service {
  name: string;
  /** The files that can be imported, for error messages. */
  expected: string;
  /** @throws UnknownFile for a file or a column that cannot be imported. */
  reader(file: FileHead): Reader | LeftOut;
  /** SQL that adds up into `given` what was read into other tables; $1: when each local day begins, $2: its date. */
  addUp?: string;
}

/** A file that is not understood. The message says why, and does not name the file. */
export class UnknownFile extends Error {}

/**
 * Checks that a header has every required column and none that is unknown: an unknown column may split rows that were one.
 *
 * @param required, optional names with spaces between them.
 * @throws UnknownFile naming the columns.
 */
export function checkColumns(header: readonly string[], required: string, optional = ""): void {
  const needed = required.split(" ");
  const known = new Set([...needed, ...optional.split(" ")]);
  const faults = [
    ["unknown", header.filter((column) => !known.has(column))],
    ["missing", needed.filter((column) => !header.includes(column))],
    ["repeated", header.filter((column, index) => header.indexOf(column) !== index)],
  ] as const;
  const found = faults.flatMap(([fault, columns]) => (columns.length > 0 ? [`${fault} ${listed(columns)}`] : []));
  if (found.length > 0) throw new UnknownFile(`${found.join("; ")}; expected columns: ${needed.join(", ")}`);
}

/** Column names for an error message. */
export const listed = (columns: readonly string[]): string =>
  `column${columns.length > 1 ? "s" : ""} ${columns.map((column) => `"${clip(column, 100)}"`).join(", ")}`;

/** The tables of an import. Postgres adds up: an export of years has more words than memory should hold. */
export const TABLES = {
  given: {
    make: `CREATE TEMP TABLE given (dimension smallint, day date, word text, visitors bigint, visits bigint, bounces bigint,
             duration_ms bigint, pageviews bigint, events bigint, file text) ON COMMIT DROP`,
    add: "INSERT INTO given SELECT * FROM jsonb_populate_recordset(NULL::given, $1::jsonb)",
  },
  hit: {
    make: `CREATE TEMP TABLE hit (id text, website text, session text, visit text, at timestamptz, is_view boolean, path text, name text, source text,
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

/** ClickHouse writes null like this. */
const NULL = "\\N";

/** @throws Error for what is no number from 0 on. */
export function numberOf(text: string, name: string): number {
  const value = text === "" || text === NULL ? 0 : Number(text);
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
