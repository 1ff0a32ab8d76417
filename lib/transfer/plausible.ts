import { type DimensionKey, EVERYTHING } from "@/lib/analytics/query/dimensions";
import { namedSource } from "@/lib/ingest/enrich/sources";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { channelOf } from "@/lib/transfer/acquisition";
import {
  checkColumns,
  type DailySum,
  dateOf,
  dimensionNumber,
  type FileHead,
  fieldReader,
  listed,
  numberOf,
  type Service,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";

/**
 * Imports the CSV export of Plausible: files imported_visitors, imported_pages and so on, each with its own columns
 * (https://plausible.io/docs/csv-import). Durations are total seconds of all visits.
 */

type Of = (name: string) => string;
type ValuesOf = (of: Of) => [dimension: number, word: string][];

interface Table {
  required: string;
  /** Optional columns; those without a dimension are ignored. */
  optional?: string;
  values: ValuesOf;
  /** The column with `visits`. */
  visits?: string;
  skipReason?(of: Of): string | null;
  /** Optional columns that the preview names as skipped, with the reason for each. */
  skipped?: Readonly<Record<string, string>>;
}

const valuesFor =
  (key: DimensionKey, column: string, toOurs = (value: string) => value): ValuesOf =>
  (of) => [[dimensionNumber(key), toOurs(of(column))]];

const SUMS = "visitors visits visit_duration bounces pageviews";
const PAGE_SUMS = "total_scroll_depth total_scroll_depth_visits total_time_on_page total_time_on_page_visits";

/** What Plausible's script sends when a page is left; Plausible exports it among the events, and shows it nowhere. */
const ENGAGEMENT = "engagement";

/** Tables by file name. */
const FILES: Readonly<Record<string, Table>> = {
  imported_visitors: { required: `date ${SUMS}`, values: () => [[EVERYTHING, ""]] },
  imported_sources: {
    required: `date source ${SUMS}`,
    optional: "referrer channel utm_source utm_medium utm_campaign utm_content utm_term",
    values: sourceValues,
  },
  imported_pages: {
    required: "date page visitors pageviews",
    optional: `hostname visits exits time_on_page active_visitors ${PAGE_SUMS}`,
    values: valuesFor("page", "page", canonicalTypedPath),
  },
  imported_entry_pages: {
    required: "date entry_page visitors entrances visit_duration bounces",
    optional: "pageviews",
    values: valuesFor("entry_page", "entry_page", canonicalTypedPath),
    visits: "entrances",
  },
  imported_exit_pages: {
    required: "date exit_page visitors exits",
    optional: "visit_duration bounces pageviews",
    values: valuesFor("exit_page", "exit_page", canonicalTypedPath),
    visits: "exits",
  },
  imported_custom_events: {
    required: "date name visitors events",
    optional: "link_url path",
    values: valuesFor("event", "name"),
    skipReason: (of) =>
      of("name") === ENGAGEMENT ? "engagement, which is how long pages were read, not an event" : null,
  },
  imported_locations: {
    required: `date country ${SUMS}`,
    optional: "region city",
    values: valuesFor("country", "country"),
    skipped: {
      region: "regions are skipped, because Plausible only has codes for them, such as US-CA",
      city: "cities are skipped, because Plausible only has GeoNames numbers for them",
    },
  },
  imported_devices: { required: `date device ${SUMS}`, values: valuesFor("device", "device", deviceOf) },
  imported_browsers: {
    required: `date browser ${SUMS}`,
    optional: "browser_version",
    values: valuesFor("browser", "browser", browserOf),
  },
  imported_operating_systems: {
    required: `date operating_system ${SUMS}`,
    optional: "operating_system_version",
    values: valuesFor("os", "operating_system", systemOf),
  },
};

const CUSTOM_PROPS = "imported_custom_props";
const CUSTOM_PROPS_COLUMNS = "date property value visitors events";
/** The name may have got a folder or the number of a second download. */
const FILE_NAME = /(?:^|\/)(imported_[a-z_]+?)(?:_\d{8}_\d{8})?(?: ?\(\d+\))?\.csv(?:\.gz)?$/;

/** Returns the table of a file by its name, or else by its columns. */
function tableOf({ name, header }: FileHead): string {
  const named = FILE_NAME.exec(name)?.[1];
  if (named) return named;
  const hasColumns = (required: string, optional?: string) => {
    const needed = required.split(" ");
    const known = new Set([...needed, ...(optional ?? "").split(" ")]);
    return needed.every((column) => header.includes(column)) && header.every((column) => known.has(column));
  };
  if (hasColumns(CUSTOM_PROPS_COLUMNS)) return CUSTOM_PROPS;
  return Object.keys(FILES).find((table) => hasColumns(FILES[table]?.required ?? "", FILES[table]?.optional)) ?? "";
}

export const PLAUSIBLE: Service = {
  name: "plausible",
  expected: `the files of a Plausible export, such as imported_visitors_20240401_20240430.csv: ${[...Object.keys(FILES), CUSTOM_PROPS].join(", ")}.`,
  claims: ({ name }) => FILE_NAME.test(name),
  reader(head) {
    const { header } = head;
    const table = tableOf(head);
    if (table === CUSTOM_PROPS) {
      checkColumns(header, CUSTOM_PROPS_COLUMNS);
      return { skipReason: "event properties cannot be stored in daily sums" };
    }
    const file = Object.hasOwn(FILES, table) ? FILES[table] : undefined;
    if (!file)
      throw new UnknownFile(`neither its name nor its ${listed(header)} are those of a file of a Plausible export`);
    checkColumns(header, file.required, file.optional);
    const named = fieldReader(header);
    const read = (fields: readonly string[]) => {
      const of = named(fields);
      const sums = sumsOf(of, file);
      return file.values(of).map(([dimension, word]) => ({ ...sums, dimension, word }));
    };
    const { skipReason, skipped = {} } = file;
    const notes = Object.entries(skipped).flatMap(([column, reason]) => (header.includes(column) ? reason : []));
    return {
      table: "daily_sum",
      namesEvents: table === "imported_custom_events" ? "all" : undefined,
      read,
      ...(notes.length > 0 && { note: notes.join("; ") }),
      ...(skipReason && { skipReason: (fields: readonly string[]) => skipReason(named(fields)) }),
    };
  },
};

function sumsOf(of: Of, { visits = "visits", required }: Table): Omit<DailySum, "dimension" | "word"> {
  const sum = (name: string) => {
    const value = numberOf(of(name), name);
    return value === null ? null : Math.round(value);
  };
  const counted = (name: string) => {
    const value = sum(name);
    if (value === null) throw new Error(`${name} is empty`);
    return value;
  };
  const seconds = sum("visit_duration");
  return {
    day: dateOf(of("date")),
    visitors: counted("visitors"),
    visits: sum(visits),
    bounces: sum("bounces"),
    duration_ms: seconds === null ? null : seconds * 1000,
    pageviews: sum("pageviews"),
    events: required.split(" ").includes("events") ? counted("events") : null,
  };
}

/** A row of sources also contains the campaign. */
function sourceValues(of: Of): [number, string][] {
  const source = of("source") === "Direct / None" ? "" : of("source");
  const known = namedSource(source);
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  const hasReferrer = of("referrer") !== "" || (source !== "" && tags.utm_source === "");
  return [
    [dimensionNumber("source"), known?.name ?? source],
    [dimensionNumber("channel"), channelOf({ known, source, hasReferrer, ...tags })],
    ...(["utm_source", "utm_medium", "utm_campaign"] as const).map((key): [number, string] => [
      dimensionNumber(key),
      tags[key],
    ]),
  ];
}
