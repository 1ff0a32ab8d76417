import { type DimensionKey, EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { isSupportedYear, SUPPORTED_YEARS } from "@/lib/contract/fields";
import type { ColumnMeaning, ColumnQuestion } from "@/lib/contract/import-columns";
import type { SumDimensions } from "@/lib/ingest/store/imported-facts";
import { clip } from "@/lib/platform/text";
import { Temporal } from "@/lib/platform/time";

/** Metrics of one day from another service, for one value of one dimension; null where its export does not tell. */
export interface DailySum {
  /** Number of the dimension as in `facts.imported`; 0 for totals. */
  dimension: number;
  /** Date in the timezone of the other service. */
  day: string;
  /** Dimension value; `''` for unknown. */
  word: string;
  visitors: number;
  visits: number | null;
  bounces: number | null;
  duration_ms: number | null;
  pageviews: number | null;
  events: number | null;
  /** The kind of source, if it is one of several reports that add up to the dimension. */
  part?: string;
  /** The hour, if the file has rows of each hour, which add up to the day. */
  hour?: string;
}

/** The part of totals that has pageviews alone, which are added to the other totals of the day. */
export const PAGEVIEWS_ALONE = "pageviews";

/** Returns the number of a dimension in `facts.imported`. */
export function dimensionNumber(key: DimensionKey): number {
  const number = ROLLED[key];
  if (number === undefined) throw new Error(`${key} is not a rollup dimension`);
  return number;
}

const KEYS = new Map(Object.entries(ROLLED).map(([key, number]) => [number as number, key]));

/** Returns the keys of dimensions by their numbers in `facts.imported`, without the totals. */
export const dimensionKeysOf = (numbers: readonly number[]): string[] =>
  numbers.flatMap((number) => KEYS.get(number) ?? []);

/** The dimensions whose sums depend on each other. */
export const SUM_DIMENSIONS: SumDimensions = { total: EVERYTHING, event: dimensionNumber("event") };

/** What tells what a file has. */
export interface FileHead {
  name: string;
  /** Leading comment lines. */
  comments: readonly string[];
  /** Names of columns. Those of JSON grow with what later records have. */
  header: readonly string[];
  /** The fields of the first rows. */
  sample: readonly (readonly string[])[];
  isJson: boolean;
  /** What the owner chose for columns whose names do not tell. */
  meanings?: Readonly<Record<string, ColumnMeaning>>;
}

/** Converts the rows of a file to rows of a temporary table. */
export interface Reader {
  table: keyof typeof IMPORT_TABLES;
  /** Whether fields may be long, because they are not stored as they are. */
  hasLongFields?: boolean;
  /** Of which days a file tells the events by name, so that one without a row had none: from its first to its last, or all that are imported. */
  namesEvents?: "between" | "all" | undefined;
  /** A note for the user about missing data and what is stored instead. */
  note?: string;
  /** Returns why a row is skipped; null to read it. */
  skipReason?(fields: readonly string[]): string | null;
  /** @throws Error with the reason if a row is invalid */
  read(fields: readonly string[]): Record<string, unknown>[];
}

/** A known file without importable data. */
interface SkippedFile {
  skipReason: string;
}

const LARGEST_INT = 2 ** 31 - 1;
/** The largest sums of a day that can be stored, by their columns. */
export const LARGEST_SUMS = {
  ...{ visitors: LARGEST_INT, visits: LARGEST_INT, bounces: LARGEST_INT, pageviews: LARGEST_INT, events: LARGEST_INT },
  duration_ms: Number.MAX_SAFE_INTEGER,
};

export interface Service {
  name: string;
  /** Description of the importable files, for error messages. */
  expected: string;
  /** @throws UnknownFile for an unknown file or column */
  reader(file: FileHead): Reader | SkippedFile;
  /** Whether a file that `reader` refuses looks like one of the service, so that its refusal names the reason. */
  claims(file: FileHead): boolean;
  /** @throws ImportRefused for files that are only understood together with others */
  check?(files: readonly FileHead[]): void;
  /** SQL that aggregates the other tables into `daily_sum`. $1: start of each local day, $2: its date. */
  aggregate?: string;
}

/** The format of a file is unknown. The message says why, without the file name. */
export class UnknownFile extends Error {
  /** @param questions answers to them make it known */
  constructor(
    message: string,
    readonly questions: readonly ColumnQuestion[] = [],
  ) {
    super(message);
  }
}

/**
 * Checks that a header has all required and no unknown columns, because an unknown column may split rows.
 *
 * @param required space-separated names
 * @param optional space-separated names
 * @throws UnknownFile naming the columns
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

/** Returns a name from a file as it can stand in a message. */
export const clippedName = (name: string): string => clip(name, 200);

const MAX_LISTED = 20;

/** Formats column names for an error message. */
export const listed = (columns: readonly string[]): string => {
  const shown = columns.slice(0, MAX_LISTED).map((column) => `"${clip(column, 100)}"`);
  const more = columns.length > MAX_LISTED ? ` and ${columns.length - MAX_LISTED} more` : "";
  return `column${columns.length > 1 ? "s" : ""} ${shown.join(", ")}${more}`;
};

/**
 * Temporary tables of an import. Postgres aggregates, because years of data have too many dimension values for
 * memory.
 */
export const IMPORT_TABLES = {
  daily_sum: {
    create: `CREATE TEMP TABLE daily_sum (dimension smallint, day date, word text, visitors bigint, visits bigint, bounces bigint,
             duration_ms bigint, pageviews bigint, events bigint, part text, hour text, file text) ON COMMIT DROP`,
    insert: "INSERT INTO daily_sum SELECT * FROM jsonb_populate_recordset(NULL::daily_sum, $1::jsonb)",
  },
  raw_event: {
    create: `CREATE TEMP TABLE raw_event (id text, website text, session text, visit text, at timestamptz, is_view boolean, path text, name text, source text,
             channel text, utm_source text, utm_medium text, utm_campaign text, browser text, os text, device text,
             country text, city text, is_entry boolean, file text) ON COMMIT DROP`,
    insert: "INSERT INTO raw_event SELECT * FROM jsonb_populate_recordset(NULL::raw_event, $1::jsonb)",
  },
  raw_session: {
    create: `CREATE TEMP TABLE raw_session (session text, browser text, os text, device text, country text, city text) ON COMMIT DROP`,
    insert: "INSERT INTO raw_session SELECT * FROM jsonb_populate_recordset(NULL::raw_session, $1::jsonb)",
  },
  raw_name: {
    create:
      "CREATE TEMP TABLE raw_name (kind text, id text, path text, name text, word text, channel text, tag text, file text) ON COMMIT DROP",
    insert: "INSERT INTO raw_name SELECT * FROM jsonb_populate_recordset(NULL::raw_name, $1::jsonb)",
  },
  raw_count: {
    create:
      "CREATE TEMP TABLE raw_count (kind text, at timestamptz, day date, page text, value text, count bigint, file text) ON COMMIT DROP",
    insert: "INSERT INTO raw_count SELECT * FROM jsonb_populate_recordset(NULL::raw_count, $1::jsonb)",
  },
} as const;

/** Returns a function that reads fields by column name; `''` for a missing column. */
export const fieldReader =
  (header: readonly string[]) =>
  (fields: readonly string[]) =>
  (name: string): string =>
    fields[header.indexOf(name)] ?? "";

/** Null in ClickHouse exports. */
const NULL = "\\N";

/** Parses a non-negative number; null, which is unknown, for empty text and null. @throws Error for anything else */
export function numberOf(text: string, name: string): number | null {
  if (text === "" || text === NULL) return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number: ${text}`);
  return value;
}

/** Parses a date and ignores a time of day. @throws Error for a day that no calendar or database has */
export function dateOf(text: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:\D|$)/.exec(text) ?? [];
  const fields = { year: Number(year), month: Number(month), day: Number(day) };
  if (!year || !isDate(fields)) throw new Error(`${text} is not a date, such as 2024-02-29`);
  if (!isSupportedYear(fields.year)) throw new Error(`${text} ${SUPPORTED_YEARS}`);
  return `${year}-${month}-${day}`;
}

/**
 * Parses a time in the format of ISO 8601, Postgres or ClickHouse; UTC without an offset.
 *
 * @throws Error naming the column
 */
export function momentOf(text: string, name: string): string {
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? [];
  try {
    dateOf(date ?? "");
    return Temporal.Instant.from(`${date}T${time}${zone ?? "Z"}`).toString();
  } catch {
    throw new Error(`${name} is not a valid time: ${text}`);
  }
}

function isDate(fields: { year: number; month: number; day: number }): boolean {
  try {
    return Temporal.PlainDate.from(fields, { overflow: "reject" }) !== null;
  } catch {
    return false;
  }
}
