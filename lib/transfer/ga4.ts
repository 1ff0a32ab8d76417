import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { Temporal } from "@/lib/platform/time";
import { bare } from "@/lib/transfer/countries";
import { dateOf, type FileHead, listed, numberOf, type Service, UnknownFile } from "@/lib/transfer/daily-sums";
import {
  AUTOMATIC_EVENTS,
  DAYS,
  DIMENSIONS,
  EVENT_NAMES,
  IGNORED,
  known,
  METRICS,
  type MetricName,
} from "@/lib/transfer/ga4-columns";

/**
 * Google Analytics 4, a report or an exploration as CSV: comment lines that begin with #, then a header with a day and at
 * most one dimension. Rates and averages become sums by the sessions beside them.
 */

const TOTALS: readonly MetricName[] = ["visitors", "visits", "pageviews"];

/** Where the columns of a file are. */
interface Columns {
  day: number;
  /** The date of day 0, where days are numbers. */
  first: Temporal.PlainDate | null;
  dimension: number | null;
  metrics: Partial<Record<MetricName, number>>;
}

export const GA4: Service = {
  name: "ga4",
  expected:
    "CSVs with a column Date or Nth day, Total users, and at most one dimension of page, landing page, session source, medium, campaign or channel group, country, region, city, device category, browser, operating system or event name; one file without a dimension, with Sessions and Views. Headers are understood in English and German and as the API names them.",
  reader(file) {
    const names = file.header.map(bare);
    const columns = columnsIn(file, names);
    const words = columns.dimension === null ? null : DIMENSIONS[names[columns.dimension] as string];
    const isOfEvents = EVENT_NAMES.some((name) => names.includes(name));
    const wordIn = (fields: readonly string[]) => known(fields[columns.dimension ?? -1] ?? "");
    return {
      into: "given",
      ...(columns.dimension === null && noteOf(columns)),
      leftOut(fields) {
        // The row of totals has no date, and its name in one column more than the header.
        if (fields[columns.day] === "" && fields.length === names.length + 1) return "totals of the whole range";
        const isAutomatic = isOfEvents && AUTOMATIC_EVENTS.has(wordIn(fields));
        return isAutomatic ? "events that Google Analytics records by itself" : null;
      },
      read(fields) {
        const sums = { ...sumsOf(fields, file, columns), day: dayOf(fields[columns.day] ?? "", columns) };
        if (!isOfEvents) sums.events = 0;
        return (words?.(wordIn(fields)) ?? [[EVERYTHING, ""]]).map(([dimension, word]) => ({
          ...sums,
          dimension,
          word,
        }));
      },
    };
  },
};

/** @throws UnknownFile for columns that are missing, unknown, or too many. */
function columnsIn({ header, comments }: FileHead, names: readonly string[]): Columns {
  const at = (synonyms: readonly string[]) => synonyms.map((name) => names.indexOf(name)).find((place) => place >= 0);
  const metrics = Object.fromEntries(
    Object.entries(METRICS).map(([metric, synonyms]) => [metric, at(synonyms)]),
  ) as Columns["metrics"];
  const dimensions = names.flatMap((name, place) => (Object.hasOwn(DIMENSIONS, name) ? [place] : []));
  const namesAt = (places: readonly number[]) => listed(places.map((place) => header[place] ?? ""));
  const understood = new Set([...Object.values(DAYS), ...Object.values(METRICS)].flat() as string[]);
  const unknown = header.filter((_, place) => {
    const name = names[place] as string;
    return !understood.has(name) && !IGNORED.has(name) && !dimensions.includes(place);
  });
  const [date, nthDay] = [at(DAYS.date), at(DAYS.nthDay)];
  const day = date ?? nthDay;
  const needed: readonly MetricName[] = dimensions.length === 0 ? TOTALS : ["visitors"];
  const missing = [
    ...(day === undefined ? ["Date"] : []),
    ...needed.filter((metric) => metrics[metric] === undefined).map((metric) => ENGLISH[metric]),
  ];
  const faults = [
    ...(unknown.length > 0 ? [`unknown ${listed(unknown)}`] : []),
    ...(missing.length > 0 ? [`missing ${listed(missing)}`] : []),
    ...(dimensions.length > 1 ? [`${namesAt(dimensions)} are more than one dimension`] : []),
    ...(new Set(names).size < names.length ? ["a column is there twice"] : []),
  ];
  if (faults.length > 0 || day === undefined) throw new UnknownFile(faults.join("; "));
  return { day, first: date === undefined ? firstDay(comments) : null, dimension: dimensions[0] ?? null, metrics };
}

const ENGLISH: Record<MetricName, string> = {
  visitors: "Total users",
  visits: "Sessions",
  pageviews: "Views",
  bounceRate: "Bounce rate",
  duration: "Average session duration",
  events: "Event count",
};

/** Sums cannot be unknown. */
function noteOf({ metrics }: Columns): { note: string } | null {
  const missing = (["bounceRate", "duration"] as const).filter((metric) => metrics[metric] === undefined);
  return missing.length > 0
    ? { note: `it has no ${missing.map((metric) => ENGLISH[metric]).join(" and no ")}, which count as 0` }
    : null;
}

/** The comments say with which date the range begins: `# 20240201-20240430` or `# Start date: 20240201`. */
function firstDay(comments: readonly string[]): Temporal.PlainDate {
  for (const comment of comments) {
    const [, date] = /^#\s*(?:[^:]*:\s*)?(\d{8})(?:-\d{8})?\s*$/.exec(comment) ?? [];
    if (date) return Temporal.PlainDate.from(dateOf(date));
  }
  throw new UnknownFile(
    'days are numbered, and no comment line such as "# 20240201-20240430" says with which date they begin; export the column "Date" instead',
  );
}

function dayOf(text: string, { first }: Columns): string {
  if (first === null) return dateOf(text);
  if (!/^\d{1,5}$/.test(text)) throw new Error(`this is no number of a day: ${text}`);
  return first.add({ days: Number(text) }).toString();
}

function sumsOf(fields: readonly string[], { header }: FileHead, { metrics }: Columns) {
  const number = (metric: MetricName) => {
    const place = metrics[metric];
    return place === undefined ? 0 : numberOf(fields[place] ?? "", header[place] ?? "");
  };
  const visits = Math.round(number("visits"));
  return {
    visitors: Math.round(number("visitors")),
    visits,
    bounces: Math.round(number("bounceRate") * visits),
    duration_ms: Math.round(number("duration") * visits * 1000),
    pageviews: Math.round(number("pageviews")),
    // What Google calls an event is a pageview too: only with their names is it known which are not.
    events: Math.round(number("events")),
  };
}
