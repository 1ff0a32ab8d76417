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
 * Imports reports and explorations of Google Analytics 4 as CSV: comment lines starting with #, then a header with a
 * day and at most one dimension. Rates and averages are converted to sums with the sessions of the same row.
 */

/** Names of columns that no other service has. */
const TELLING = new Set<string>([...DAYS.nthDay, ...METRICS.visitors].filter((name) => name !== "users"));

const TOTALS: readonly MetricName[] = ["visitors", "visits", "pageviews"];

/** Column indexes of a file. */
interface Columns {
  day: number;
  /** Date of day 0 if days are numbered; otherwise null. */
  first: Temporal.PlainDate | null;
  dimension: number | null;
  metrics: Partial<Record<MetricName, number>>;
}

export const GA4: Service = {
  name: "ga4",
  expected:
    "CSV files with a column Date or Nth day, Total users, and at most one dimension: page, landing page, session source, medium, campaign or channel group, country, region, city, device category, browser, operating system or event name. One file must have no dimension, with Sessions and Views. Headers can be in English or German or use the names of the API.",
  claims: ({ comments, header }) =>
    comments.length > 0 || header.map(bare).some((name) => TELLING.has(name) || Object.hasOwn(DIMENSIONS, name)),
  reader(file) {
    const names = file.header.map(bare);
    const columns = columnsIn(file, names);
    const valuesOf = columns.dimension === null ? null : DIMENSIONS[names[columns.dimension] as string];
    const isOfEvents = EVENT_NAMES.some((name) => names.includes(name));
    const valueIn = (fields: readonly string[]) => known(fields[columns.dimension ?? -1] ?? "");
    return {
      table: "daily_sum",
      ...(columns.dimension === null && noteOf(columns)),
      skipReason(fields) {
        // The totals row has no date, and an additional column with its name.
        if (fields[columns.day] === "" && fields.length === names.length + 1) return "totals of the whole range";
        const isAutomatic = isOfEvents && AUTOMATIC_EVENTS.has(valueIn(fields));
        return isAutomatic ? "events that Google Analytics records automatically" : null;
      },
      read(fields) {
        const sums = { ...sumsOf(fields, file, columns), day: dayOf(fields[columns.day] ?? "", columns) };
        if (!isOfEvents) sums.events = 0;
        return (valuesOf?.(valueIn(fields)) ?? [[EVERYTHING, ""]]).map(([dimension, word]) => ({
          ...sums,
          dimension,
          word,
        }));
      },
    };
  },
};

/** Finds the columns of a file. @throws UnknownFile for missing or unknown columns, or several dimensions */
function columnsIn({ header, comments }: FileHead, names: readonly string[]): Columns {
  const indexOf = (synonyms: readonly string[]) =>
    synonyms.map((name) => names.indexOf(name)).find((index) => index >= 0);
  const metrics = Object.fromEntries(
    Object.entries(METRICS).map(([metric, synonyms]) => [metric, indexOf(synonyms)]),
  ) as Columns["metrics"];
  const dimensions = names.flatMap((name, index) => (Object.hasOwn(DIMENSIONS, name) ? [index] : []));
  const namesAt = (indexes: readonly number[]) => listed(indexes.map((index) => header[index] ?? ""));
  const knownNames = new Set([...Object.values(DAYS), ...Object.values(METRICS)].flat() as string[]);
  const unknown = header.filter((_, index) => {
    const name = names[index] as string;
    return !knownNames.has(name) && !IGNORED.has(name) && !dimensions.includes(index);
  });
  const [date, nthDay] = [indexOf(DAYS.date), indexOf(DAYS.nthDay)];
  const day = date ?? nthDay;
  const required: readonly MetricName[] = dimensions.length === 0 ? TOTALS : ["visitors"];
  const missing = [
    ...(day === undefined ? ["Date"] : []),
    ...required.filter((metric) => metrics[metric] === undefined).map((metric) => ENGLISH[metric]),
  ];
  const faults = [
    ...(unknown.length > 0 ? [`unknown ${listed(unknown)}`] : []),
    ...(missing.length > 0 ? [`missing ${listed(missing)}`] : []),
    ...(dimensions.length > 1 ? [`${namesAt(dimensions)} are more than one dimension`] : []),
    ...(new Set(names).size < names.length ? ["a column occurs twice"] : []),
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

/** Notes missing metrics, which stay unknown. */
function noteOf({ metrics }: Columns): { note: string } | null {
  const missing = (["bounceRate", "duration"] as const).filter((metric) => metrics[metric] === undefined);
  return missing.length > 0
    ? { note: `it has no ${missing.map((metric) => ENGLISH[metric]).join(" and no ")}; unknown for its days` }
    : null;
}

/** Reads the first date of the range from comments such as `# 20240201-20240430` or `# Start date: 20240201`. */
function firstDay(comments: readonly string[]): Temporal.PlainDate {
  for (const comment of comments) {
    const [, date] = /^#\s*(?:[^:]*:\s*)?(\d{8})(?:-\d{8})?\s*$/.exec(comment) ?? [];
    if (date) return firstDayIn(date);
  }
  throw new UnknownFile(
    'days are numbered, but no comment line such as "# 20240201-20240430" contains the first date; export the column "Date" instead',
  );
}

function firstDayIn(date: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(dateOf(date));
  } catch (error) {
    throw new UnknownFile(`the first date of its comment lines is wrong: ${(error as Error).message}`);
  }
}

function dayOf(text: string, { first }: Columns): string {
  if (first === null) return dateOf(text);
  if (!/^\d{1,5}$/.test(text)) throw new Error(`invalid day number: ${text}`);
  return first.add({ days: Number(text) }).toString();
}

const roundedOf = (value: number | null): number | null => (value === null ? null : Math.round(value));

function sumsOf(fields: readonly string[], { header }: FileHead, { metrics }: Columns) {
  const number = (metric: MetricName) => {
    const index = metrics[metric];
    return index === undefined ? null : numberOf(fields[index] ?? "", header[index] ?? "");
  };
  const whole = (metric: MetricName) => roundedOf(number(metric));
  const visits = whole("visits");
  const ofAll = (average: number | null) => roundedOf(average === null || visits === null ? null : average * visits);
  const seconds = number("duration");
  return {
    visitors: whole("visitors") ?? 0,
    visits,
    bounces: ofAll(number("bounceRate")),
    duration_ms: ofAll(seconds === null ? null : seconds * 1000),
    pageviews: whole("pageviews"),
    // Google also counts pageviews as events. Only a file with event names shows which ones are not.
    events: whole("events") ?? 0,
  };
}
