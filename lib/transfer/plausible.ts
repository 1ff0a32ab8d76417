import { type DimensionKey, EVERYTHING } from "@/lib/analytics/query/dimensions";
import { namedSource } from "@/lib/ingest/enrich/sources";
import { channelOf } from "@/lib/transfer/arrival";
import {
  checkColumns,
  columnsOf,
  type DailySum,
  dateOf,
  numberIn,
  numberOf,
  type Service,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/machines";

/**
 * Plausible's CSV export: files imported_visitors, imported_pages and so on, each with columns of its own
 * (https://plausible.io/docs/csv-import); durations are seconds, all visits together.
 */

type Of = (name: string) => string;
type Words = (of: Of) => [dimension: number, word: string][];

interface Table {
  required: string;
  /** Columns that may be there; those that no dimension is read from are ignored. */
  optional?: string;
  words: Words;
  /** The column that holds `visits`. */
  visits?: string;
}

const one =
  (key: DimensionKey, column: string, ours = (word: string) => word): Words =>
  (of) => [[numberIn(key), ours(of(column))]];

const SUMS = "visitors visits visit_duration bounces pageviews";
const PAGE_SUMS = "total_scroll_depth total_scroll_depth_visits total_time_on_page total_time_on_page_visits";

/** By the names of their files. */
const FILES: Readonly<Record<string, Table>> = {
  imported_visitors: { required: `date ${SUMS}`, words: () => [[EVERYTHING, ""]] },
  imported_sources: {
    required: `date source ${SUMS}`,
    optional: "referrer channel utm_source utm_medium utm_campaign utm_content utm_term",
    words: sourceWords,
  },
  imported_pages: {
    required: "date page visitors pageviews",
    optional: `hostname visits exits time_on_page active_visitors ${PAGE_SUMS}`,
    words: one("page", "page"),
  },
  imported_entry_pages: {
    required: "date entry_page visitors entrances visit_duration bounces",
    optional: "pageviews",
    words: one("entry_page", "entry_page"),
    visits: "entrances",
  },
  imported_exit_pages: {
    required: "date exit_page visitors exits",
    optional: "visit_duration bounces pageviews",
    words: one("exit_page", "exit_page"),
    visits: "exits",
  },
  imported_custom_events: {
    required: "date name visitors events",
    optional: "link_url path",
    words: one("event", "name"),
  },
  imported_locations: {
    required: `date country ${SUMS}`,
    optional: "region city",
    words: one("country", "country"),
  },
  imported_devices: { required: `date device ${SUMS}`, words: one("device", "device", deviceOf) },
  imported_browsers: {
    required: `date browser ${SUMS}`,
    optional: "browser_version",
    words: one("browser", "browser", browserOf),
  },
  imported_operating_systems: {
    required: `date operating_system ${SUMS}`,
    optional: "operating_system_version",
    words: one("os", "operating_system", systemOf),
  },
};

const CUSTOM_PROPS = "imported_custom_props";
const FILE_NAME = /^(imported_[a-z_]+?)(?:_\d{8}_\d{8})?\.csv(?:\.gz)?$/;

export const PLAUSIBLE: Service = {
  name: "plausible",
  expected: `the files of Plausible's export under their own names, such as imported_visitors_20240401_20240430.csv: ${[...Object.keys(FILES), CUSTOM_PROPS].join(", ")}.`,
  reader({ name, header }) {
    const table = FILE_NAME.exec(name)?.[1] ?? "";
    if (table === CUSTOM_PROPS) {
      checkColumns(header, "date property value visitors events");
      return { leftOut: "properties of events have no place in daily sums" };
    }
    const file = Object.hasOwn(FILES, table) ? FILES[table] : undefined;
    if (!file) throw new UnknownFile("the name is not one of Plausible's export");
    checkColumns(header, file.required, file.optional);
    const named = columnsOf(header);
    const read = (fields: readonly string[]) => {
      const of = named(fields);
      const sums = sumsOf(of, file);
      return file.words(of).map(([dimension, word]) => ({ ...sums, dimension, word }));
    };
    return { into: "given", read };
  },
};

function sumsOf(of: Of, { visits = "visits" }: Table): Omit<DailySum, "dimension" | "word"> {
  const sum = (name: string) => Math.round(numberOf(of(name), name));
  return {
    day: dateOf(of("date")),
    visitors: sum("visitors"),
    visits: sum(visits),
    bounces: sum("bounces"),
    duration_ms: sum("visit_duration") * 1000,
    pageviews: sum("pageviews"),
    events: sum("events"),
  };
}

/** A row of sources tells its campaign too. */
function sourceWords(of: Of): [number, string][] {
  const source = of("source") === "Direct / None" ? "" : of("source");
  const known = namedSource(source);
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  const hasReferrer = of("referrer") !== "" || (source !== "" && tags.utm_source === "");
  return [
    [numberIn("source"), known?.name ?? source],
    [numberIn("channel"), channelOf({ known, source, hasReferrer, ...tags })],
    ...(["utm_source", "utm_medium", "utm_campaign"] as const).map((key): [number, string] => [
      numberIn(key),
      tags[key],
    ]),
  ];
}
