import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import {
  checkColumns,
  dateOf,
  dimensionNumber,
  type FileHead,
  fieldReader,
  momentOf,
  numberOf,
  type Reader,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { browserOf, systemOf } from "@/lib/transfer/device-names";
import { arrivalBy } from "@/lib/transfer/goatcounter-referrer";
import { ImportRefused } from "@/lib/transfer/import";

/**
 * The JSON export of GoatCounter (https://www.goatcounter.com/help/export-json): counts of each path by hour and referrer,
 * and by day and browser, system and country. A count is how many sessions had the path, which GoatCounter calls visits of
 * the site when it adds them up.
 */

const VERSIONS = /^1\./;

type Of = (name: string) => string;
type Read = (of: Of) => Record<string, unknown>[];

const nameOf =
  (kind: string, toWord: Of = (name) => name): Read =>
  (of) => [{ kind, id: idIn(of, "id"), word: toWord(of("name")) }];

const countOf =
  (kind: string, value: Read): Read =>
  (of) => [
    {
      kind,
      page: idIn(of, "path_id"),
      count: countIn(of),
      ...(kind === "hit" ? { at: momentOf(of("hour"), "hour") } : { day: dateOf(of("day")) }),
      ...value(of)[0],
    },
  ];

const byId =
  (name: string): Read =>
  (of) => [{ value: idIn(of, name) }];

function idIn(of: Of, name: string): string {
  if (!/^\d{1,19}$/.test(of(name))) throw new Error(`${name} is not a number: ${of(name)}`);
  return of(name);
}

function countIn(of: Of): number {
  const count = numberOf(of("count"), "count");
  if (count === null || !Number.isInteger(count)) throw new Error(`count is not a whole number: ${of("count")}`);
  return count;
}

interface Table {
  columns: string;
  /** Columns that records leave out where they are false. */
  optional?: string;
  /** Why it is skipped, or how its lines are read. */
  read: string | Read;
  table?: Reader["table"];
  note?: string;
}

const TABLES: Readonly<Record<string, Table>> = {
  "info.json": {
    columns: "export_version goatcounter_version created_for created_by created_at",
    read(of) {
      if (VERSIONS.test(of("export_version"))) return [];
      throw new Error(`the version ${of("export_version")} of the export is unknown; expected 1.0`);
    },
  },
  "paths.jsonl": {
    columns: "id path title",
    optional: "event",
    read: (of) => {
      const isEvent = of("event") === "true";
      const path = isEvent ? null : canonicalTypedPath(of("path"));
      return [{ kind: "path", id: idIn(of, "id"), path, name: isEvent ? of("path") : null }];
    },
  },
  "refs.jsonl": {
    columns: "id ref ref_scheme",
    read: (of) => {
      const { source, channel, utm_source } = arrivalBy(of("ref"), of("ref_scheme"));
      return [{ kind: "ref", id: idIn(of, "id"), word: source, channel, tag: utm_source }];
    },
  },
  "browsers.jsonl": { columns: "id name version", read: nameOf("browser", browserOf) },
  "systems.jsonl": { columns: "id name version", read: nameOf("os", systemOf) },
  "hit_stats.jsonl": {
    columns: "hour path_id ref_id count",
    read: countOf("hit", byId("ref_id")),
    table: "raw_count",
    note: "GoatCounter counts a visitor and a visit once for each page of a session, so these are more than ours; repeated pageviews are not counted, bounces and durations unknown",
  },
  "browser_stats.jsonl": {
    columns: "day path_id browser_id count",
    read: countOf("browser", byId("browser_id")),
    table: "raw_count",
  },
  "system_stats.jsonl": {
    columns: "day path_id system_id count",
    read: countOf("os", byId("system_id")),
    table: "raw_count",
  },
  "location_stats.jsonl": {
    columns: "day path_id location count",
    read: countOf("country", (of) => [{ value: of("location").slice(0, 2).toUpperCase() }]),
    table: "raw_count",
  },
  "locations.jsonl": { columns: "country region country_name region_name", read: "names of places are known here" },
  "languages.jsonl": { columns: "iso_639_3 name", read: "languages are not in daily sums" },
  "language_stats.jsonl": { columns: "day path_id language count", read: "languages are not in daily sums" },
  "size_stats.jsonl": { columns: "day path_id width count", read: "screen sizes are not in daily sums" },
};

const NAMES = Object.keys(TABLES);
const REQUIRED = ["paths.jsonl", "refs.jsonl", "hit_stats.jsonl"];
const baseName = (name: string): string => name.replace(/^.*\//, "").replace(/(?: ?\(\d+\))?(\.jsonl?)(\.gz)?$/, "$1");

export const isOfCounts = ({ name }: FileHead): boolean => NAMES.includes(baseName(name));

/** @throws UnknownFile for another name, and for other fields than its file has */
export function countsReader({ name, header }: FileHead): Reader | { skipReason: string } {
  const table = Object.hasOwn(TABLES, baseName(name)) ? TABLES[baseName(name)] : undefined;
  if (!table) throw new UnknownFile(`an export of GoatCounter has no such file, but ${NAMES.join(", ")}`);
  if (header.length === 0) return { skipReason: "it is empty" };
  checkColumns(header, table.columns, table.optional);
  const { read } = table;
  if (typeof read === "string") return { skipReason: read };
  const named = fieldReader(header);
  return {
    table: table.table ?? "raw_name",
    ...(table.note && { note: table.note }),
    read: (fields) => read(named(fields)),
  };
}

/** Counts name pages and referrers by their ids only. @throws ImportRefused naming missing and repeated files */
export function refuseIncomplete(files: readonly FileHead[]): void {
  const names = files.map(({ name }) => baseName(name));
  if (!names.some((name) => NAMES.includes(name))) return;
  const repeated = names.find((name, index) => NAMES.includes(name) && names.indexOf(name) !== index);
  if (repeated)
    throw new ImportRefused(
      `Nothing was imported: ${repeated} occurs twice. Import one export of GoatCounter at a time.`,
    );
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new ImportRefused(
      `Nothing was imported: the export of GoatCounter lacks ${missing.join(" and ")}. Choose the zip as it was downloaded.`,
    );
}

const named = (kind: string) => `raw_name AS ${kind} ON ${kind}.kind = '${kind}' AND ${kind}.id = counted.value`;
const SUMS = "sum(count), sum(count), NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint";
const VIEWED = "coalesce(sum(count) FILTER (WHERE name IS NULL), 0)";

/** Days of browsers, systems and countries are those of UTC, so the first and last may have no totals. */
const byDay = (kind: "browser" | "os" | "country", word: string, join = ""): string => `
  SELECT ${dimensionNumber(kind)}, counted.day, ${word}, ${SUMS}
  FROM counted ${join} WHERE counted.kind = '${kind}' AND counted.name IS NULL
    AND counted.day IN (SELECT day FROM counted AS hit WHERE hit.kind = 'hit') GROUP BY 2, 3`;

/** SQL that continues an insertion into daily_sum, with the parameters of events-sql.ts. */
export const SUMS_OF_COUNTS = `SELECT * FROM (
  WITH counted AS (
    SELECT raw_count.kind, coalesce(raw_count.day, ($2::date[])[width_bucket(at, $1::timestamptz[])]) AS day, value, count,
           coalesce(page.path, '') AS path, page.name
    FROM raw_count LEFT JOIN raw_name AS page ON page.kind = 'path' AND page.id = raw_count.page)
  SELECT ${EVERYTHING}, day, '', ${VIEWED}, ${VIEWED}, NULL::bigint, NULL::bigint, ${VIEWED},
         coalesce(sum(count) FILTER (WHERE name IS NOT NULL), 0)
  FROM counted WHERE kind = 'hit' GROUP BY day
  UNION ALL
  SELECT ${dimensionNumber("page")}, day, path, sum(count), sum(count), NULL, NULL, sum(count), NULL
  FROM counted WHERE kind = 'hit' AND name IS NULL GROUP BY day, path
  UNION ALL
  SELECT ${dimensionNumber("event")}, day, name, sum(count), NULL, NULL, NULL, NULL, sum(count)
  FROM counted WHERE kind = 'hit' AND name IS NOT NULL GROUP BY day, name
  UNION ALL
  SELECT one.dimension, day, one.word, ${SUMS}
  FROM counted LEFT JOIN ${named("ref")}, LATERAL (VALUES (${dimensionNumber("source")}, coalesce(ref.word, '')),
    (${dimensionNumber("channel")}, coalesce(ref.channel, '')),
    (${dimensionNumber("utm_source")}, coalesce(ref.tag, ''))) AS one(dimension, word)
  WHERE counted.kind = 'hit' AND counted.name IS NULL GROUP BY 1, 2, 3
  UNION ALL ${byDay("browser", "coalesce(browser.word, '')", `LEFT JOIN ${named("browser")}`)}
  UNION ALL ${byDay("os", "coalesce(os.word, '')", `LEFT JOIN ${named("os")}`)}
  UNION ALL ${byDay("country", "counted.value")}
) AS counts`;
