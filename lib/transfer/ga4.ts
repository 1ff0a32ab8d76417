import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { COLUMN_MEANINGS, type ColumnMeaning, type ColumnQuestion } from "@/lib/contract/import-columns";
import { clip } from "@/lib/platform/text";
import { Temporal } from "@/lib/platform/time";
import { dateOf, type FileHead, listed, type Service, UnknownFile } from "@/lib/transfer/daily-sums";
import {
  AUTOMATIC_EVENTS,
  GA4_DIMENSIONS,
  GA4_LANGUAGES,
  GA4_METRICS,
  isMetric,
  known,
  type MetricName,
  namedColumn,
} from "@/lib/transfer/ga4-columns";
import { certainMeaning, likelyMeanings } from "@/lib/transfer/ga4-guess";
import { ga4Number } from "@/lib/transfer/ga4-numbers";

/**
 * Imports reports and explorations of Google Analytics 4 as CSV: comment lines starting with #, then a header with a
 * day and at most one dimension. Rates and averages are converted to sums with the sessions of the same row.
 */

/** Values that a suggestion shows. */
const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 100;
const TOTALS: readonly MetricName[] = ["visitors", "visits", "pageviews"];

/** What a file's columns mean. */
interface Columns {
  day: Day;
  dimension: { index: number; meaning: ColumnMeaning } | null;
  metrics: Partial<Record<MetricName, number>>;
  /** Languages in which names of countries may be, that of the header first. */
  languages: readonly string[];
}

/** Where the day of a row is: in a column, as a date or counted from the first day, or the same for the whole file. */
type Day = { index: number; first: Temporal.PlainDate | null } | { all: string };

export const GA4: Service = {
  name: "ga4",
  expected:
    "CSV files with a column Date or Nth day, Total users, and at most one dimension: page, landing page, session source, medium, campaign or channel group, country, region, city, device category, browser, operating system or event name. One file must have no dimension, with Sessions and Views. Headers can be in any language of Google Analytics, or use the names of the API.",
  claims: (file) => {
    const { comments, header } = file;
    const meanings = header.map((name) => namedColumn(name)?.meaning);
    const isDay = meanings.some((meaning) => meaning === "date" || meaning === "nth_day");
    const hasDates = header.some((_, index) => {
      const values = valuesIn(file, index);
      return values.length > 0 && values.every((value) => /^20\d{6}$/.test(value));
    });
    return comments.length > 0 || hasDates || (isDay && meanings.some((meaning) => meaning && isMetric(meaning)));
  },
  reader(file) {
    const columns = columnsIn(file);
    const { day, dimension } = columns;
    const valuesOf = dimension && GA4_DIMENSIONS[dimension.meaning];
    const isOfEvents = dimension?.meaning === "event";
    const valueIn = (fields: readonly string[]) => known(fields[dimension?.index ?? -1] ?? "");
    return {
      table: "daily_sum",
      namesEvents: isOfEvents ? "between" : undefined,
      ...(dimension === null && noteOf(columns)),
      skipReason(fields) {
        // The totals row has no date, and an additional column with its name.
        const isTotal = "index" in day && fields[day.index] === "" && fields.length === file.header.length + 1;
        if (isTotal) return "totals of the whole range";
        const isAutomatic = isOfEvents && AUTOMATIC_EVENTS.has(valueIn(fields));
        return isAutomatic ? "events that Google Analytics records automatically" : null;
      },
      read(fields) {
        const sums = { ...sumsOf(fields, file, columns, isOfEvents), day: dayOf(fields, day) };
        return (valuesOf?.(valueIn(fields), columns.languages) ?? [[EVERYTHING, ""]]).map(([number, word]) => ({
          ...sums,
          dimension: number,
          word,
        }));
      },
    };
  },
};

/** Finds the columns of a file. @throws UnknownFile for missing or unknown columns, or several dimensions */
function columnsIn(file: FileHead): Columns {
  const { header, comments } = file;
  const meanings = meaningsOf(file);
  const indexesOf = (wanted: ColumnMeaning) =>
    header.flatMap((_, index) => (meanings[index] === wanted ? [index] : []));
  const firstOf = (wanted: ColumnMeaning) => indexesOf(wanted).sort((a, b) => rankOf(header[a]) - rankOf(header[b]))[0];
  const metrics: Columns["metrics"] = Object.fromEntries(GA4_METRICS.map((metric) => [metric, firstOf(metric)]));
  const dimensions = header.flatMap((_, index) => {
    const meaning = meanings[index];
    return meaning && GA4_DIMENSIONS[meaning] ? [{ index, meaning }] : [];
  });
  const unknown = header.flatMap((_, index) => (meanings[index] === null ? [index] : []));
  const day = dayIn(comments, firstOf("date"), firstOf("nth_day"));
  const isOfEvents = dimensions.some(({ meaning }) => meaning === "event");
  const ofDimension: readonly MetricName[] = isOfEvents ? ["visitors", "events"] : ["visitors"];
  const required = dimensions.length > 0 ? ofDimension : TOTALS;
  const missing = [
    ...(day === null ? (["date"] as const) : []),
    ...required.filter((metric) => metrics[metric] === undefined),
  ];
  const faults = [
    ...(unknown.length > 0 ? [`unknown ${listed(unknown.map((index) => header[index] ?? ""))}`] : []),
    ...(missing.length > 0 ? [`missing ${listed(missing.map((meaning) => COLUMN_MEANINGS[meaning]))}`] : []),
    ...(dimensions.length > 1
      ? [`${listed(dimensions.map(({ index }) => header[index] ?? ""))} are more than one dimension`]
      : []),
    ...(new Set(header).size < header.length ? ["a column occurs twice"] : []),
  ];
  if (faults.length > 0 || day === null) throw new UnknownFile(faults.join("; "), questionsOf(file, unknown, missing));
  const languages = new Set([
    ...header.flatMap((name) => namedColumn(name)?.language ?? []).reverse(),
    ...GA4_LANGUAGES,
  ]);
  return { day, dimension: dimensions[0] ?? null, metrics, languages: [...languages] };
}

const rankOf = (name = ""): number => namedColumn(name)?.rank ?? Number.POSITIVE_INFINITY;

/** Returns what each column means: as the owner chose, by its name, or else by its values; null if unknown. */
function meaningsOf(file: FileHead): (ColumnMeaning | null)[] {
  const { header, meanings = {} } = file;
  const found = header.map((name) =>
    Object.hasOwn(meanings, name) ? (meanings[name] ?? null) : (namedColumn(name)?.meaning ?? null),
  );
  const isTaken = (meaning: ColumnMeaning) =>
    meaning !== "ignored" &&
    found.some((one) => one === meaning || (GA4_DIMENSIONS[meaning] && one && GA4_DIMENSIONS[one]));
  for (const [index, meaning] of found.entries()) {
    if (meaning !== null) continue;
    const guessed = certainMeaning(valuesIn(file, index));
    if (guessed !== null && !isTaken(guessed)) found[index] = guessed;
  }
  return found;
}

/** Returns the first values of a column. A totals row has an additional one. */
const valuesIn = ({ header, sample }: FileHead, index: number): string[] =>
  sample.filter(({ length }) => length <= header.length).map((fields) => fields[index] ?? "");

function questionsOf(file: FileHead, unknown: readonly number[], missing: readonly ColumnMeaning[]): ColumnQuestion[] {
  const { name, header } = file;
  const columns = unknown.map((index) => valuesIn(file, index));
  const suggestions = likelyMeanings(columns, missing);
  return unknown.map((index, order) => ({
    file: name,
    column: header[index] ?? "",
    examples: (columns[order] ?? []).slice(0, MAX_EXAMPLES).map((value) => clip(value, MAX_EXAMPLE_LENGTH)),
    suggestion: suggestions[order] ?? null,
  }));
}

/** Notes missing metrics, which stay unknown. */
function noteOf({ metrics }: Columns): { note: string } | null {
  const missing = (["bounce_rate", "duration"] as const).filter((metric) => metrics[metric] === undefined);
  return missing.length > 0
    ? { note: `it has no ${missing.map((metric) => COLUMN_MEANINGS[metric]).join(" and no ")}; unknown for its days` }
    : null;
}

/** A file without days is of one day if its comments say so. @returns null for one of several days */
function dayIn(comments: readonly string[], date: number | undefined, nthDay: number | undefined): Day | null {
  if (date !== undefined) return { index: date, first: null };
  const [first, last] = datesIn(comments);
  if (nthDay !== undefined) {
    if (first !== undefined) return { index: nthDay, first };
    throw new UnknownFile(
      'days are numbered, but no comment line such as "# 20240201-20240430" contains the first date; export the column "Date" instead',
    );
  }
  return first && last && first.equals(last) ? { all: first.toString() } : null;
}

/** Reads the range from comments such as `# 20240201-20240430` or `# Start date: 20240201` in any language. */
function datesIn(comments: readonly string[]): Temporal.PlainDate[] {
  return comments.flatMap((comment) => {
    const [, first, last] = /^#\s*(?:[^:：]*[:：]\s*)?(\d{8})(?:\s*[-–]\s*(\d{8}))?\s*$/.exec(comment) ?? [];
    return [first, last].flatMap((date) => (date ? [firstDayIn(date)] : []));
  });
}

function firstDayIn(date: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(dateOf(date));
  } catch (error) {
    throw new UnknownFile(`the first date of its comment lines is wrong: ${(error as Error).message}`);
  }
}

function dayOf(fields: readonly string[], day: Day): string {
  if ("all" in day) return day.all;
  const text = fields[day.index] ?? "";
  if (day.first === null) return dateOf(text);
  if (!/^\d{1,5}$/.test(text)) throw new Error(`invalid day number: ${text}`);
  return day.first.add({ days: Number(text) }).toString();
}

const roundedOf = (value: number | null): number | null => (value === null ? null : Math.round(value));

function sumsOf(fields: readonly string[], { header }: FileHead, { metrics }: Columns, isOfEvents: boolean) {
  const number = (metric: MetricName) => {
    const index = metrics[metric];
    const kind = metric === "bounce_rate" || metric === "duration" ? "fraction" : "whole";
    return index === undefined ? null : ga4Number(fields[index] ?? "", kind, header[index] ?? "");
  };
  const whole = (metric: MetricName) => roundedOf(number(metric));
  const counted = (metric: MetricName): number => {
    const value = whole(metric);
    if (value === null) throw new Error(`${header[metrics[metric] ?? -1] ?? COLUMN_MEANINGS[metric]} is empty`);
    return value;
  };
  const visits = whole("visits");
  const ofAll = (average: number | null) => roundedOf(average === null || visits === null ? null : average * visits);
  const seconds = number("duration");
  return {
    visitors: counted("visitors"),
    visits,
    bounces: ofAll(number("bounce_rate")),
    duration_ms: ofAll(seconds === null ? null : seconds * 1000),
    pageviews: whole("pageviews"),
    // Google also counts pageviews as events. Only a file with event names shows which ones are not.
    events: isOfEvents ? counted("events") : null,
  };
}
