import { type DimensionKey, EVERYTHING } from "@/lib/analytics/query/dimensions";
import { knownSource, namedSource } from "@/lib/ingest/enrich/sources";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { bare, countryCode } from "@/lib/transfer/countries";
import {
  type DailySum,
  dateOf,
  dimensionNumber,
  type FileHead,
  listed,
  type Service,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";
import { countOf, rateOf, secondsOf } from "@/lib/transfer/numbers";

/**
 * Imports exports of Fathom: the files Site.csv, Pages.csv and so on of its whole export, and the exports of one dimension
 * of its settings, both by hour or by day (https://usefathom.com/docs/features/exporting).
 */

const TIMES = ["timestamp", "datetime", "date"];

const METRICS = {
  pageviews: ["pageviews", "views"],
  visits: ["visits", "visitors"],
  uniques: ["uniques"],
  bounceRate: ["bouncerate"],
  duration: ["avgduration", "averageduration"],
  events: ["completions", "conversions"],
  uniqueEvents: ["uniquecompletions", "uniqueconversions"],
} as const;
type MetricName = keyof typeof METRICS;
const IGNORED = new Set(["value", "eventvalue", "conversionrate"]);

interface Dimension {
  key: DimensionKey;
  toOurs(value: string, of: (name: string) => string): string;
  /** Columns that may be beside it, because they only tell more of its values. */
  beside?: readonly string[];
}

/** Dimensions by the normalised name of their column, those with others beside them first. */
const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  pathname: { key: "page", toOurs: (value) => canonicalTypedPath(value || "/"), beside: ["hostname"] },
  referrerhostname: { key: "source", toOurs: sourceOf, beside: ["referrerpathname"] },
  city: { key: "city", toOurs: knownOf, beside: ["countrycode", "country", "state", "region"] },
  state: { key: "region", toOurs: knownOf, beside: ["countrycode", "country"] },
  region: { key: "region", toOurs: knownOf, beside: ["countrycode", "country"] },
  countrycode: { key: "country", toOurs: countryOf },
  country: { key: "country", toOurs: countryOf },
  browser: { key: "browser", toOurs: (value) => browserOf(knownOf(value)) },
  operatingsystem: { key: "os", toOurs: (value) => systemOf(knownOf(value)) },
  devicetype: {
    key: "device",
    toOurs: (value) => deviceOf(value.toLowerCase() === "phone" ? "mobile" : knownOf(value)),
  },
  utmsource: { key: "utm_source", toOurs: (value) => value },
  utmmedium: { key: "utm_medium", toOurs: (value) => value },
  utmcampaign: { key: "utm_campaign", toOurs: (value) => value },
  eventname: { key: "event", toOurs: (value) => value },
};

/** Columns that a date by itself could also stand beside in exports of others. */
const TELLING = new Set([
  ...["uniques", "avgduration", "completions", "uniquecompletions", "conversions", "uniqueconversions"],
  ...["pathname", "referrerhostname", "devicetype", "countrycode"],
]);

const UNKNOWN_PLACE = /^(unknown|xx|t1|zz)$/i;

function knownOf(value: string): string {
  return UNKNOWN_PLACE.test(value) ? "" : value;
}

function countryOf(value: string): string {
  const known = knownOf(value);
  const code = known === "" ? "" : countryCode(known);
  if (code === null) throw new Error(`"${value}" is not a known country`);
  return code;
}

function sourceOf(value: string): string {
  const host = value.replace(/^https?:\/\//i, "").replace(/^www\.|\/.*$/g, "");
  return (knownSource(host) ?? namedSource(host))?.name ?? host;
}

export const FATHOM: Service = {
  name: "fathom",
  expected:
    "CSV files of Fathom by hour or day: Site.csv, Pages.csv, Referrers.csv, Browsers.csv, Countries.csv, DeviceTypes.csv and Events.csv, or exports of at most one dimension each (Pathname, Referrer hostname, Country, State, City, Browser, Operating system, Device type, UTM source, medium or campaign, Event name) with all metrics. One file must have no dimension, with Pageviews and Visits.",
  claims: ({ header }) => {
    const names = header.map(bare);
    return (
      names.some((name) => TIMES.includes(name)) &&
      names.some((name) => TELLING.has(name)) &&
      names.filter((name) => !isKnown(name)).length < names.length / 2
    );
  },
  reader(file) {
    const { time, dimension, places, names } = columnsIn(file);
    const visitors = visitorsColumn(dimension, places);
    if (visitors === null)
      return {
        skipReason:
          dimension?.key === "event"
            ? "it has no unique completions, which lists need"
            : "it has no visits, which lists need",
      };
    const isOfPages = dimension?.key === "page";
    return {
      table: "daily_sum",
      namesEvents: dimension?.key === "event" ? "between" : undefined,
      ...(dimension === null && noteOf(places)),
      read(fields) {
        const of = (name: string) => fields[names.indexOf(name)] ?? "";
        const text = (metric: MetricName) => fields[places[metric] ?? -1] ?? "";
        const [day, hour] = hourOf(of(time));
        const count = (metric: MetricName) => countOf(text(metric), metric);
        const people = count(visitors);
        if (people === null && count("pageviews") === null && count("events") === null) return [];
        if (dimension?.key === "event" && count("events") === null) throw new Error("events is missing");
        if (people === null) throw new Error(`${visitors} is missing`);
        // A visitor of Fathom is one visit a day.
        const visits = isOfPages || dimension?.key === "event" ? null : count("visits");
        const word = dimension === null ? "" : dimension.toOurs(of(dimension.column), of);
        const sum: DailySum = {
          dimension: dimension === null ? EVERYTHING : dimensionNumber(dimension.key),
          day,
          hour,
          word,
          visitors: people,
          visits,
          bounces: ofAll(rateOf(text("bounceRate"), "bounce rate"), visits),
          duration_ms: ofAll(secondsOf(text("duration"), "average duration"), visits, 1000),
          pageviews: dimension?.key === "event" ? null : count("pageviews"),
          events: count("events"),
        };
        return [{ ...sum }];
      },
    };
  },
};

const ofAll = (average: number | null, visits: number | null, unit = 1): number | null =>
  average === null || visits === null ? null : Math.round(average * visits * unit);

const isKnown = (name: string): boolean =>
  [...TIMES, ...Object.values(METRICS).flat(), "hostname", "referrerpathname"].includes(name) ||
  IGNORED.has(name) ||
  Object.hasOwn(DIMENSIONS, name);

/** Finds the columns of a file. @throws UnknownFile for missing or unknown ones, and for several dimensions */
function columnsIn({ header, sample }: FileHead) {
  const names = header.map(bare);
  const time = TIMES.find((name) => names.includes(name));
  const places = Object.fromEntries(
    Object.entries(METRICS).flatMap(([metric, synonyms]) => {
      const place = names.findIndex((name) => (synonyms as readonly string[]).includes(name));
      return place < 0 ? [] : [[metric, place]];
    }),
  ) as Partial<Record<MetricName, number>>;
  const column = Object.keys(DIMENSIONS).find((name) => names.includes(name));
  const dimension = column === undefined ? null : { ...(DIMENSIONS[column] as Dimension), column };
  const others = names.flatMap((name, place) => {
    const isDimension = Object.hasOwn(DIMENSIONS, name) || name === "hostname" || name === "referrerpathname";
    return isDimension && name !== column && !dimension?.beside?.includes(name) ? [header[place] as string] : [];
  });
  const unknown = header.filter((_, place) => !isKnown(names[place] as string));
  const isOfEvents = dimension?.key === "event";
  const needed: readonly MetricName[] = isOfEvents ? ["events"] : dimension ? ["pageviews"] : ["pageviews", "visits"];
  const missing = [
    ...(time === undefined ? ["Timestamp"] : []),
    ...needed.filter((metric) => places[metric] === undefined).map((metric) => ENGLISH[metric] ?? metric),
  ];
  const faults = [
    ...(unknown.length > 0 ? [`unknown ${listed(unknown)}`] : []),
    ...(missing.length > 0 ? [`missing ${listed(missing)}`] : []),
    ...(others.length > 0 ? [`${listed(others)} split the rows further; export each dimension by itself`] : []),
    ...(new Set(names).size < names.length ? ["a column occurs twice"] : []),
  ];
  if (faults.length > 0 || time === undefined) throw new UnknownFile(faults.join("; "));
  if (time === "date" && !names.some((name) => TELLING.has(name)))
    throw new UnknownFile("it has no column that only Fathom has, such as Uniques or Avg Duration");
  refuseMonths(sample.map((fields) => fields[names.indexOf(time)] ?? ""));
  return { time, dimension, places, names };
}

const ENGLISH: Partial<Record<MetricName, string>> = {
  pageviews: "Pageviews",
  visits: "Visits",
  events: "Completions",
};

/** Months are dated like their first days. */
function refuseMonths(times: readonly string[]): void {
  const days = new Set(times.map((time) => time.slice(0, 10)));
  if (days.size > 1 && [...days].every((day) => /^\d{4}-\d\d(-01)?$/.test(day)))
    throw new UnknownFile('its rows are months; choose "Hourly" or "Daily" as its date grouping');
}

/** Returns the metric that has the visitors of a value; null if the file has none. */
function visitorsColumn(dimension: Dimension | null, places: Partial<Record<MetricName, number>>): MetricName | null {
  const preferred: readonly MetricName[] =
    dimension?.key === "event"
      ? ["uniqueEvents"]
      : dimension?.key === "page"
        ? ["uniques", "visits"]
        : ["visits", "uniques"];
  return preferred.find((metric) => places[metric] !== undefined) ?? null;
}

/** Returns the day of a time, as the export has it, and its hour. */
function hourOf(text: string): [day: string, hour: string] {
  const [, hour] = /^\d{4}-\d\d-\d\d(?:[ T](\d\d)(?::\d\d){1,2}(?:\.\d+)?Z?)?$/.exec(text) ?? [null, null];
  if (hour === null) throw new Error(`${text} is not a time, such as 2024-02-29 13:00:00`);
  return [dateOf(text), hour ?? "00"];
}

/** Notes missing metrics, which stay unknown. */
function noteOf(places: Partial<Record<MetricName, number>>): { note: string } | null {
  const missing = (["bounceRate", "duration"] as const).filter((metric) => places[metric] === undefined);
  const titles = { bounceRate: "Bounce Rate", duration: "Avg Duration" };
  return missing.length > 0
    ? { note: `it has no ${missing.map((metric) => titles[metric]).join(" and no ")}; unknown for its days` }
    : null;
}
