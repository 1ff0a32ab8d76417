import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { parseUserAgent } from "@/lib/ingest/enrich/user-agent";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { parseUrl } from "@/lib/platform/text";
import { Temporal } from "@/lib/platform/time";
import { arrivalFrom } from "@/lib/transfer/acquisition";
import {
  dimensionNumber,
  type FileHead,
  fieldReader,
  listed,
  momentOf,
  type Service,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";
import { localDaySql } from "@/lib/transfer/events-sql";

/**
 * Imports the raw data points of Simple Analytics as CSV (https://docs.simpleanalytics.com/api/export-data-points).
 * A pageview is `is_unique` if its visit begins with it. That is all that it knows of visits: its session ids end with the
 * page, unless the site is a single-page application.
 */

const TIMES = ["added_unix", "added_iso"] as const;
const DATAPOINT = "datapoint";
const UNIQUE = "is_unique";
const READ = new Set<string>([
  ...TIMES,
  ...[
    DATAPOINT,
    UNIQUE,
    "is_robot",
    "uuid",
    "session_id",
    "hostname",
    "path",
    "document_referrer",
    "referrer_hostname",
  ],
  ...[
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "country_code",
    "device_type",
    "browser_name",
    "os_name",
    "user_agent",
  ],
]);
/** What daily sums do not have, or other columns tell too. */
const IGNORED = new Set(
  [
    "added_date hostname_original query path_and_query referrer_path utm_content utm_term scrolled_percentage",
    "duration_seconds viewport_width viewport_height screen_width screen_height browser_version os_version",
    "lang_region lang_language",
  ].flatMap((names) => names.split(" ")),
);
const METADATA = /^metadata(\.|$)/;
const PAGEVIEW = "pageview";

type Of = (name: string) => string;

function checkColumns({ header }: FileHead): void {
  const has = (name: string) => header.includes(name);
  const unknown = header.filter((name) => !READ.has(name) && !IGNORED.has(name) && !METADATA.test(name));
  const needed = has(UNIQUE) ? [UNIQUE, "path"] : has(DATAPOINT) ? [DATAPOINT] : [UNIQUE, "path"];
  const missing = [...(TIMES.some(has) ? [] : ["added_iso"]), ...needed.filter((name) => !has(name))];
  const repeated = header.filter((name, index) => header.indexOf(name) !== index);
  const faults = Object.entries({ unknown, missing, repeated }).filter(([, names]) => names.length > 0);
  if (faults.length === 0) return;
  throw new UnknownFile(
    `${faults.map(([fault, names]) => `${fault} ${listed(names)}`).join("; ")}; choose the fields again when you export`,
  );
}

/** Parses seconds or milliseconds since 1970. */
function momentOfUnix(text: string): string {
  const number = /^\d{1,13}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const ms = Math.round(number < 1e11 ? number * 1000 : number);
  if (Number.isNaN(ms)) throw new Error(`added_unix is not a valid time: ${text}`);
  return momentOf(Temporal.Instant.fromEpochMilliseconds(ms).toString(), "added_unix");
}

function truthOf(text: string, name: string): boolean {
  if (/^(true|t|1)$/i.test(text)) return true;
  if (/^(false|f|0)$/i.test(text)) return false;
  throw new Error(`${name} is neither true nor false: ${text}`);
}

function rowOf(of: Of, has: (name: string) => boolean) {
  const point = of(DATAPOINT) || PAGEVIEW;
  const isView = point === PAGEVIEW;
  if (isView && !has(UNIQUE)) throw new Error(`a pageview has no ${UNIQUE}; export that field too`);
  const orNull = (name: string, value: string) => (has(name) ? value : null);
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  const referrer = of("referrer_hostname") || hostOf(of("document_referrer"));
  const knowsArrival = ["document_referrer", "referrer_hostname", "utm_source"].some(has);
  return {
    id: of("uuid") || null,
    website: of("hostname").replace(/^www\./, "") || null,
    session: of("session_id") || null,
    at: of("added_unix") === "" ? momentOf(of("added_iso"), "added_iso") : momentOfUnix(of("added_unix")),
    is_view: isView,
    is_entry: isView && truthOf(of(UNIQUE), UNIQUE),
    path: isView ? canonicalTypedPath(of("path")) : "",
    name: isView ? "" : point,
    ...(knowsArrival && arrivalFrom(referrer, of("hostname"), tags)),
    utm_source: orNull("utm_source", tags.utm_source),
    utm_medium: orNull("utm_medium", tags.utm_medium),
    utm_campaign: orNull("utm_campaign", tags.utm_campaign),
    country: orNull("country_code", of("country_code").toUpperCase()),
    ...agentOf(of, has),
  };
}

/** Returns browser, system and device by their columns, or else by the user agent; null without both. */
function agentOf(of: Of, has: (name: string) => boolean) {
  const parsed = has("user_agent") ? parseUserAgent(of("user_agent")) : null;
  return {
    browser: has("browser_name") ? browserOf(of("browser_name")) : (parsed?.browser ?? null),
    os: has("os_name") ? systemOf(of("os_name")) : (parsed?.os ?? null),
    device: has("device_type") ? deviceOf(of("device_type")) : (parsed?.device ?? null),
  };
}

function hostOf(referrer: string): string {
  const url = parseUrl(/^[a-z][a-z\d+.-]*:/i.test(referrer) ? referrer : `https://${referrer}`);
  return url?.hostname ?? "";
}

const dimension = (key: Parameters<typeof dimensionNumber>[0], column: string) =>
  `(${dimensionNumber(key)}, ${column})`;

/**
 * Only the pageview that begins a visit tells where it came from, so the pageviews by source are unknown. An export without
 * a single event may be one of pageviews alone.
 */
const AGGREGATE = `
  WITH point AS (SELECT ${localDaySql("at")} AS day, raw_event.* FROM raw_event)
  INSERT INTO daily_sum (dimension, day, word, visitors, visits, bounces, duration_ms, pageviews, events)
  SELECT ${EVERYTHING}, day, '', count(*) FILTER (WHERE is_entry), count(*) FILTER (WHERE is_entry), NULL::bigint, NULL::bigint,
         count(*) FILTER (WHERE is_view),
         CASE WHEN EXISTS (SELECT FROM raw_event WHERE NOT is_view) THEN count(*) FILTER (WHERE NOT is_view) END
  FROM point WHERE EXISTS (SELECT FROM raw_event WHERE is_view) GROUP BY day
  UNION ALL
  SELECT one.dimension, day, one.word, count(*), count(*), NULL, NULL, NULL, NULL::bigint
  FROM point, LATERAL (VALUES ${[
    dimension("entry_page", "path"),
    dimension("source", "source"),
    dimension("channel", "channel"),
    dimension("utm_source", "utm_source"),
    dimension("utm_medium", "utm_medium"),
    dimension("utm_campaign", "utm_campaign"),
  ].join(", ")}) AS one(dimension, word)
  WHERE is_entry AND one.word IS NOT NULL GROUP BY 1, 2, 3
  UNION ALL
  SELECT one.dimension, day, one.word, count(*) FILTER (WHERE is_entry), count(*) FILTER (WHERE is_entry), NULL, NULL, count(*), NULL
  FROM point, LATERAL (VALUES ${[
    dimension("country", "country"),
    dimension("browser", "browser"),
    dimension("os", "os"),
    dimension("device", "device"),
  ].join(", ")}) AS one(dimension, word)
  WHERE is_view AND one.word IS NOT NULL GROUP BY 1, 2, 3
  UNION ALL
  SELECT ${dimensionNumber("page")}, day, path, count(*) FILTER (WHERE is_entry), NULL, NULL, NULL, count(*), NULL
  FROM point WHERE is_view GROUP BY 2, 3
  UNION ALL
  SELECT ${dimensionNumber("event")}, day, name, CASE WHEN count(session) = count(*) THEN count(DISTINCT session) ELSE count(*) END,
         NULL, NULL, NULL, NULL, count(*)
  FROM point WHERE NOT is_view GROUP BY 2, 3`;

export const SIMPLE_ANALYTICS: Service = {
  name: "simple_analytics",
  expected:
    "the data points of the export of Simple Analytics as CSV, with the fields added_iso, path, is_unique and more; events with added_iso and datapoint.",
  claims: ({ header }) => TIMES.some((name) => header.includes(name)),
  reader(head) {
    checkColumns(head);
    const named = fieldReader(head.header);
    const has = (name: string) => head.header.includes(name);
    const notes = [
      ...(has(UNIQUE)
        ? ["it does not tell how long visits last, nor how many have one page; unknown for its days"]
        : []),
      ...(head.header.some((name) => METADATA.test(name)) ? ["metadata cannot be stored in daily sums"] : []),
    ];
    return {
      table: "raw_event",
      ...(notes.length > 0 && { note: notes.join("; ") }),
      skipReason: (fields) => {
        const robot = named(fields)("is_robot");
        return robot !== "" && truthOf(robot, "is_robot") ? "robots" : null;
      },
      read: (fields) => [rowOf(named(fields), has)],
    };
  },
  aggregate: AGGREGATE,
};
