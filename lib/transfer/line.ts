import { z } from "zod";
import { isSupportedYear, SUPPORTED_YEARS } from "@/lib/contract/fields";
import { EVENT_TYPES, type EventType, TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import {
  type DictionaryName,
  EVENT,
  type ExportedField,
  exportedExtras,
  exportedFields,
} from "@/lib/ingest/event/catalogue";
import { csvText, textOfCsv } from "@/lib/platform/csv";
import { LONGEST_PATH } from "@/lib/platform/text";
import { Temporal } from "@/lib/platform/time";

/**
 * The format of an exported line: one event with its visit, with all values as text. Null means unknown or none. Lines
 * are independent of each other, and contain no IP addresses, which are never stored.
 */

const UNTRUSTED = { "x-untrusted": true } as const;
const text = z.string("must be text").max(20_000, "must have at most 20000 characters").meta(UNTRUSTED).nullable();
const path = z
  .string("must be text")
  .max(LONGEST_PATH, `must have at most ${LONGEST_PATH} characters`)
  .meta(UNTRUSTED)
  .nullable();
function isMoment(text: string): boolean {
  try {
    return isSupportedYear(Temporal.Instant.from(text).toZonedDateTimeISO("UTC").year);
  } catch {
    return false;
  }
}

const PSEUDONYM = { examples: ["-4611686018427387904"] };
const number = z
  .string("must be a whole number between quotes")
  .regex(/^-?\d{1,19}$/, "must be a whole number between quotes")
  .refine((text) => BigInt.asIntN(64, BigInt(text)) === BigInt(text), "must have at most 64 bits")
  .meta(PSEUDONYM);
const moment = z
  .string("must be a time")
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/, "must be a time such as 2026-11-22T09:30:00.000000Z")
  .refine(isMoment, `must be a time that exists, ${SUPPORTED_YEARS.replace("must be ", "")}`)
  .meta({ examples: ["2026-11-22T09:30:00.000000Z"] });
const count = z.int("must be a whole number, 0 or more").min(0, "must be a whole number, 0 or more").max(2_147_483_647);
const oneOf = <Key extends string>(keys: Record<Key, number>) => z.enum(Object.keys(keys) as [Key, ...Key[]]);

type Dimensions<Name extends DictionaryName> = Record<ExportedField<Name>, typeof text>;

/** Values for examples of text fields; the others are unknown. */
const EXAMPLES: Readonly<Partial<Record<string, string>>> = {
  name: "Signup",
  hostname: "example.com",
  path: "/pricing",
  title: "Pricing",
  url: "https://www.google.com/",
  referrer: "https://www.google.com/",
  source: "Google",
  channel: "Organic Search",
  channel_rule: "organic_search",
  utm_source: "google",
  utm_medium: "cpc",
  utm_campaign: "autumn-sale",
  country: "DE",
  region: "Berlin",
  city: "Berlin",
  browser: "Firefox",
  browser_version: "145",
  os: "macOS",
  os_version: "15",
  device: "Desktop",
  screen: "Laptop",
  language: "de",
};
const exampleOf = (field: string) => ({ examples: [EXAMPLES[field] ?? null] });

/** The fields of the values of dictionaries. */
function dimensions<Name extends DictionaryName>(...names: Name[]): Dimensions<Name> {
  const fields = names.flatMap((name) => [...exportedFields(name), ...exportedExtras(name)]);
  return Object.fromEntries(
    fields.map((field) => [field, (field === "path" ? path : text).meta(exampleOf(field))]),
  ) as Dimensions<Name>;
}

const shape = {
  /** Unique per site; position from which an interrupted export continues. */
  event_id: z.string().meta({ examples: ["signup-2026-0042"] }),
  time: moment,
  type: oneOf(EVENT_TYPES as Record<EventType, number>).meta({ examples: ["event"] }),
  ...dimensions("name"),
  /** 2 and up for further identical events of a visit at the same time. */
  copy: z.int().min(1, "must be 1 or more"),
  visit_id: number,
  /** Null for a server-side event without a visit: its visit lasts 0 ms and has no pages. */
  visitor_id: number.nullable().meta(PSEUDONYM),
  user_hash: number.nullable().meta({ examples: [null] }),
  ...dimensions("page", "referrer", "campaign", "place", "agent"),
  traffic: oneOf(TRAFFIC_CLASSES as Record<TrafficClass, number>),
  engagement_ms: count.nullable(),
  scroll: count.max(100, "must be a percentage").nullable(),
  revenue: z
    .string("must be decimal text")
    .regex(/^-?\d{1,30}(\.\d{1,30})?$/, "must be decimal text")
    .nullable(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be a currency code")
    .nullable(),
  props: z
    .record(z.string(), z.unknown(), "must be an object")
    .meta({ ...UNTRUSTED, examples: [{ plan: "pro" }] })
    .nullable(),
  /** Exports of earlier versions have no status. */
  status: z
    .int("must be an HTTP status")
    .min(200, "must be an HTTP status")
    .max(599, "must be an HTTP status")
    .nullable()
    .default(null)
    .meta({ examples: [null] }),
  visit_started: moment.meta({ examples: ["2026-11-22T09:28:30.000000Z"] }),
  visit_duration_ms: count.meta({ examples: [94_200] }),
  visit_entry_hostname: text.meta(exampleOf("hostname")),
  visit_entry_path: path.meta({ examples: ["/"] }),
  visit_exit_hostname: text.meta(exampleOf("hostname")),
  visit_exit_path: path.meta(exampleOf("path")),
  visit_pageviews: count.meta({ examples: [3] }),
  visit_interactions: count.max(100, "must be at most 100").meta({ examples: [1] }),
  visit_traffic: oneOf(TRAFFIC_CLASSES as Record<TrafficClass, number>),
  ...dimensions("verdict"),
};

export const eventLine = z.object(shape);
export type EventLine = z.output<typeof eventLine>;

export const COLUMNS = Object.keys(shape) as (keyof EventLine)[];

/** Numbers stored as text. They are written without the protection against formulas, which would quote minus signs. */
const NUMERIC: ReadonlySet<string> = new Set(["visit_id", "visitor_id", "user_hash", "revenue"]);

/** The types of the columns in Parquet; the others are text. */
const PARQUET_TYPES: Readonly<Partial<Record<keyof EventLine, string>>> = {
  time: "TIMESTAMP WITH TIME ZONE",
  copy: "INTEGER",
  visit_id: "BIGINT",
  visitor_id: "BIGINT",
  user_hash: "BIGINT",
  engagement_ms: "INTEGER",
  scroll: "INTEGER",
  // As the copies for reports have it.
  revenue: EVENT.revenue.copied,
  props: "JSON",
  status: "INTEGER",
  visit_started: "TIMESTAMP WITH TIME ZONE",
  visit_duration_ms: "INTEGER",
  visit_pageviews: "INTEGER",
  visit_interactions: "INTEGER",
};
export const parquetType = (column: keyof EventLine): string => PARQUET_TYPES[column] ?? "VARCHAR";
/** The columns of a Parquet file with their types. */
export const PARQUET_COLUMNS = Object.fromEntries(COLUMNS.map((column) => [column, parquetType(column)]));
/** The columns of a Parquet file with the SQL that reads each as in a line. */
export const PARQUET_VALUES = Object.fromEntries(COLUMNS.map((column) => [column, valueSql(column)]));

function valueSql(column: keyof EventLine): string {
  const type = parquetType(column);
  if (type.startsWith("TIMESTAMP")) return `strftime("${column}" AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')`;
  if (type === "INTEGER") return `CAST("${column}" AS INTEGER)`;
  if (type === "JSON") return `CAST("${column}" AS JSON)`;
  const text = `CAST(CAST("${column}" AS ${type}) AS VARCHAR)`;
  return type.startsWith("DECIMAL") ? `regexp_replace(${text}, '\\.?0+$', '')` : text;
}

/** The formats of an export. */
export const FORMATS = {
  ndjson: {
    type: "application/x-ndjson",
    header: "",
    write: (line: EventLine): string => `${JSON.stringify(line)}\n`,
  },
  csv: {
    type: "text/csv; charset=utf-8",
    header: `${COLUMNS.map(csvText).join(",")}\r\n`,
    write: (line: EventLine): string => `${COLUMNS.map((column) => field(column, line[column])).join(",")}\r\n`,
  },
  parquet: { type: "application/vnd.apache.parquet" },
} as const;
export type Format = keyof typeof FORMATS;

function field(column: string, value: EventLine[keyof EventLine]): string {
  if (value === null) return "";
  if (typeof value === "number") return `${value}`;
  if (typeof value === "object") return csvText(JSON.stringify(value));
  return NUMERIC.has(column) ? value : csvText(value);
}

/** Returns the line of a row of a CSV file, whose columns have these names; JSON text. Unknown columns are left out. */
export function lineOfCsv(header: readonly string[], fields: readonly string[]): string {
  const pairs = header.map((column, index) => [column, valueOfCsv(column, fields[index] ?? "")]);
  return JSON.stringify(Object.fromEntries(pairs));
}

/** What cannot be read is left as it is, so that the check of the line names it. */
function valueOfCsv(column: string, field: string): unknown {
  if (field === "") return null;
  const type = parquetType(column as keyof EventLine);
  if (type === "INTEGER") return /^-?\d+$/.test(field) ? Number(field) : field;
  if (type !== "JSON") return NUMERIC.has(column) ? field : textOfCsv(field);
  try {
    return JSON.parse(field);
  } catch {
    return field;
  }
}
