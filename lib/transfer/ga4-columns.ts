import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import type { ColumnMeaning } from "@/lib/contract/import-columns";
import { namedSource } from "@/lib/ingest/enrich/sources";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { bare, countryCode } from "@/lib/transfer/countries";
import { dimensionNumber } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";
import names from "@/lib/transfer/ga4-names.json" with { type: "json" };

/**
 * What the columns of Google Analytics 4 mean, by their names in the languages of its user interface and in its API
 * (https://developers.google.com/analytics/devguides/reporting/data/v1/api-schema).
 */

export const GA4_METRICS = ["visitors", "visits", "pageviews", "bounce_rate", "duration", "events"] as const;
export type MetricName = (typeof GA4_METRICS)[number];
export const isMetric = (meaning: ColumnMeaning): meaning is MetricName =>
  (GA4_METRICS as readonly ColumnMeaning[]).includes(meaning);

interface Named {
  meaning: ColumnMeaning;
  /** Of several columns of one meaning, such as all and active users, the first one is read. */
  rank: number;
  language: string;
}

export const GA4_LANGUAGES: readonly string[] = Object.keys(names);

const NAMED = new Map<string, Named>(
  Object.entries(names).flatMap(([language, meanings]) =>
    Object.entries(meanings).flatMap(([meaning, list]) =>
      list
        .split(" | ")
        .map((name, rank): [string, Named] => [bare(name), { meaning: meaning as ColumnMeaning, rank, language }]),
    ),
  ),
);

/** Returns what a column means by its name; undefined for a name that no language has. */
export const namedColumn = (name: string): Named | undefined => NAMED.get(bare(name));

/** Google's names for unknown and direct. */
const UNKNOWN = new Set(["(not set)", "(direct)", "(none)", "(data not available)"]);
/** Returns a dimension value; `''` if it is unknown in Google Analytics. */
export const known = (value: string): string => (UNKNOWN.has(value) ? "" : value);

/** @param languages in which names of countries may be, the most likely one first */
type ValuesOf = (value: string, languages: readonly string[]) => [dimension: number, value: string][];

const valuesFor =
  (key: DimensionKey, toOurs: (value: string, languages: readonly string[]) => string = (value) => value): ValuesOf =>
  (value, languages) => [[dimensionNumber(key), toOurs(value, languages)]];
const source = valuesFor("source", (value) => namedSource(value)?.name ?? value);
const medium = valuesFor("utm_medium", known);

/** Splits a combined value such as `google / organic`. */
const sourceAndMedium: ValuesOf = (value, languages) => {
  const [from = "", by = ""] = value.split(" / ");
  return [...source(known(from), languages), ...medium(by, languages)];
};

function country(value: string, languages: readonly string[]): string {
  const code = value === "" ? "" : countryCode(value, languages);
  if (code === null) throw new Error(`"${value}" is not a known country name; export the column "Country ID" instead`);
  return code;
}

/** Events that Google Analytics records automatically. */
export const AUTOMATIC_EVENTS: ReadonlySet<string> = new Set([
  "page_view",
  "screen_view",
  "session_start",
  "first_visit",
  "first_open",
  "user_engagement",
]);

/** How the values of each dimension become ours. */
export const GA4_DIMENSIONS: Partial<Readonly<Record<ColumnMeaning, ValuesOf>>> = {
  page: valuesFor("page", (path) => canonicalTypedPath(path)),
  entry_page: valuesFor("entry_page", (path) => canonicalTypedPath(path)),
  source,
  source_medium: sourceAndMedium,
  utm_medium: medium,
  utm_campaign: valuesFor("utm_campaign"),
  channel: valuesFor("channel"),
  country: valuesFor("country", country),
  region: valuesFor("region"),
  city: valuesFor("city"),
  device: valuesFor("device", deviceOf),
  browser: valuesFor("browser", browserOf),
  os: valuesFor("os", systemOf),
  event: valuesFor("event"),
};
