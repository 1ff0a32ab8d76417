import { bare } from "@/lib/transfer/countries";
import {
  type DailySum,
  dateOf,
  type FileHead,
  listed,
  type Reader,
  type Service,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { VISITS_OF_EVENTS } from "@/lib/transfer/events-sql";
import { type Column, columnNamed, isLevel, type Metadata } from "@/lib/transfer/matomo-columns";
import { type Of, type Report, reportNamed, reportOf } from "@/lib/transfer/matomo-reports";
import { isVisitsLog, readerOfVisits } from "@/lib/transfer/matomo-visits";
import { countOf, rateOf, secondsOf } from "@/lib/transfer/numbers";

/**
 * Imports reports of Matomo by day, as its Reporting API answers them in JSON or CSV, and as its interface exports them
 * (https://developer.matomo.org/api-reference/reporting-api), and its log of visits.
 */

const PER_DAY = "export it with period=day and date=2024-01-01,2024-12-31 (the first and last day)";

export const MATOMO: Service = {
  name: "matomo",
  expected:
    "reports by day in JSON, CSV or TSV, from the Reporting API with period=day and date=<first>,<last>, or exported from the interface: VisitsSummary.get (needed) and Actions.get, and of Actions (flat): getPageUrls, getEntryPageUrls, getExitPageUrls; of Referrers: getReferrerType, getWebsites, getSearchEngines, getSocials, getCampaigns; of UserCountry: getCountry, getRegion, getCity; of DevicesDetection: getType, getBrowsers, getOsFamilies; Events.getAction. Or Live.getLastVisitsDetails in JSON alone. Headers can be in English, German, French or Spanish.",
  claims: (file) => {
    const columns = file.header.map(columnNamed);
    return (
      isAnswer(file) ||
      isXml(file) ||
      file.header.some((name) => /^(nb_|metadata_)/.test(name)) ||
      columns.includes("nb_uniq_visitors") ||
      (columns.includes("label") && columns.includes("nb_visits"))
    );
  },
  reader(file) {
    if (isXml(file)) throw new UnknownFile("it is XML; export it as JSON or CSV");
    if (isAnswer(file)) throw new UnknownFile(`Matomo did not answer with a report: ${messageIn(file)}`);
    if (hasNoRows(file)) return { skipReason: "Matomo has no data in it" };
    if (isVisitsLog(file)) return readerOfVisits(file);
    const columns = new Columns(file.header);
    const rows = file.sample.map((fields) => columns.reading(fields, file.isJson));
    const found = reportOf(file.name, rows, columns.has);
    if (found === null)
      throw new UnknownFile(
        "neither its rows nor its name tell which report it is; export it with its metadata, or name it after the report, such as DevicesDetection.getBrowsers.csv",
      );
    if ("skipReason" in found) return found;
    const report = reportNamed(found.name);
    refuseMissing(report, columns);
    if (columns.has("label") && file.header.filter(isLevel).length > 1)
      throw new UnknownFile("its rows are split further; export this report without flat=1, which is for pages");
    refuseUnreadable(report, rows);
    return readerOf(report, columns, file, dayOfFile(file, columns, rows));
  },
  aggregate: VISITS_OF_EVENTS,
};

/** Whether a file is an answer without a report, such as one about a wrong token. */
const isAnswer = ({ header }: FileHead): boolean =>
  header.includes("result") && header.includes("message") && header.length <= 3;
const messageIn = ({ header, sample: [row] }: FileHead): string => `"${row?.[header.indexOf("message")] ?? ""}"`;

const isXml = ({ header }: FileHead): boolean => /^<(\?xml|result)/.test(header[0] ?? "");

const hasNoRows = ({ header, isJson }: FileHead): boolean =>
  header.length === 0 ? isJson : header.length === 1 && header[0] === "No data available";

/** The columns of a file. */
class Columns {
  readonly #places = new Map<Column | Metadata, number>();

  /** @throws UnknownFile for columns that are not known, or occur twice */
  constructor(header: readonly string[]) {
    const unknown: string[] = [];
    const repeated: string[] = [];
    for (const [place, name] of header.entries()) {
      const column = columnNamed(name);
      if (column === undefined) unknown.push(name);
      else if (column !== null && this.#places.has(column)) repeated.push(name);
      else if (column !== null) this.#places.set(column, place);
    }
    const faults = [
      ...(unknown.length > 0 ? [`unknown ${listed(unknown)}${hintAbout(unknown)}`] : []),
      ...(repeated.length > 0 ? [`repeated ${listed(repeated)}`] : []),
    ];
    if (faults.length > 0) throw new UnknownFile(faults.join("; "));
  }

  readonly has = (column: Column | Metadata): boolean => this.#places.has(column);

  /** Returns a function that reads fields of a row. */
  reading(fields: readonly string[], isJson: boolean): Of {
    return (column) => {
      const place = this.#places.get(column);
      const field = (place === undefined ? undefined : fields[place]) ?? "";
      // Matomo marks what a spreadsheet would take for a formula.
      return column === "label" && !isJson ? field.replace(/^'(?=[=+\-@])/, "") : field;
    };
  }
}

/** Returns what to do about columns that are no columns of a report. */
function hintAbout(names: readonly string[]): string {
  if (names.some((name) => /^(idSite|\d{1,4})$/.test(name))) return "; export one site, with one idSite";
  if (names.some((name) => /^\d{4}-\d\d/.test(name))) return "; its values have no names: export VisitsSummary.get";
  if (names.includes("reportData")) return "; export the standard report, not the processed one";
  return "";
}

const NEEDED: Record<Report["sums"], readonly Column[]> = {
  visits: ["nb_uniq_visitors", "nb_visits"],
  page: ["nb_uniq_visitors", "nb_hits"],
  entry: ["entry_nb_uniq_visitors", "entry_nb_visits"],
  exit: ["exit_nb_uniq_visitors", "exit_nb_visits"],
  event: ["nb_uniq_visitors", "nb_events"],
  pageviews: [],
};

function refuseMissing({ sums }: Report, { has }: Columns): void {
  const missing = NEEDED[sums].filter((column) => !has(column));
  if (missing.length > 0)
    throw new UnknownFile(
      `missing ${listed(missing)}; export the standard report of single days, which has unique visitors`,
    );
}

/** Refuses a file whose first rows cannot be read, before any row is. */
function refuseUnreadable(report: Report, rows: readonly Of[]): void {
  for (const of of rows) {
    if (skipReasonOf(of) !== null) continue;
    try {
      report.values(of);
    } catch (error) {
      throw new UnknownFile((error as Error).message);
    }
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns the day of all rows; null if each has its own. @throws UnknownFile if the file does not tell of days */
function dayOfFile({ name }: FileHead, { has }: Columns, rows: readonly Of[]): string | null {
  if (has("date")) {
    const other = rows.map((of) => of("date")).find((date) => !DAY.test(date));
    if (other !== undefined) throw new UnknownFile(`"${other}" is not a single day; ${PER_DAY}`);
    return null;
  }
  const day = dayInName(name);
  if (day === null)
    throw new UnknownFile(
      `neither its rows nor its name tell the day; ${PER_DAY}; or name the export of one day after it, such as report_2024-02-29.csv`,
    );
  return fileDay(day);
}

function fileDay(day: string): string {
  try {
    return dateOf(day);
  } catch (error) {
    throw new UnknownFile(`its name has no day: ${(error as Error).message}`);
  }
}

const LOCALES = ["en", "de", "fr", "es"];
let months: ReadonlyMap<string, string> | null = null;

/** Returns the number of a month, in two digits, by its name. */
function monthNamed(name: string): string | undefined {
  months ??= new Map(
    LOCALES.flatMap((locale) =>
      Array.from({ length: 12 }, (_, month): [string, string] => [
        bare(new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }).format(Date.UTC(2024, month, 15))),
        String(month + 1).padStart(2, "0"),
      ]),
    ),
  );
  return months.get(bare(name));
}

/** Returns the one day that a file is named after, as a date or as Matomo writes it in its languages. */
function dayInName(name: string): string | null {
  const dates = name.match(/(?<!\d)\d{4}-\d\d-\d\d(?!\d)/g) ?? [];
  if (dates.length > 0) return dates.length === 1 ? (dates[0] ?? null) : null;
  const text = /(?:_ ?)([^_]+?)(?: ?\(\d+\))?\.(?:csv|tsv|json)(?:\.gz)?$/iu.exec(name)?.[1] ?? "";
  const { month, day, year } =
    /^(?:\p{L}+,? )?(?<month>\p{L}+) (?<day>\d{1,2}), (?<year>\d{4})$/u.exec(text)?.groups ??
    /^(?:\p{L}+,? )?(?<day>\d{1,2})\.? (?:de )?(?<month>\p{L}+) (?:de )?(?<year>\d{4})$/u.exec(text)?.groups ??
    {};
  const number = month === undefined ? undefined : monthNamed(month);
  return number === undefined ? null : `${year}-${number}-${day?.padStart(2, "0")}`;
}

const OTHERS = /(^|[ /] ?- )(others|andere|autres|otros)$/i;

const TRUE = new Set(["1", "true"]);

function skipReasonOf(of: Of): string | null {
  if (TRUE.has(of("is_aggregate"))) return "sums of other rows";
  return TRUE.has(of("is_summary")) || OTHERS.test(of("label")) ? "sums of values that Matomo does not name" : null;
}

function readerOf(report: Report, columns: Columns, { isJson }: FileHead, dayOfAll: string | null): Reader {
  const { has } = columns;
  const isOfTotals = report.sums === "visits" && !has("label");
  const note = isOfTotals ? noteOf(has) : null;
  return {
    table: "daily_sum",
    namesEvents: report.sums === "event" ? "between" : undefined,
    ...(note !== null && { note }),
    skipReason: (fields) => skipReasonOf(columns.reading(fields, isJson)),
    read(fields) {
      const of = columns.reading(fields, isJson);
      const day = dayOfAll ?? dayOf(of("date"));
      const sums = sumsOf(report, of);
      // Matomo lists types of devices that nobody used.
      if (!isOfTotals && Object.values(sums).every((sum) => sum === null || sum === 0)) return [];
      return report.values(of).map(([dimension, word, part]) => ({
        ...sums,
        day,
        dimension,
        word,
        ...(part !== undefined && { part }),
      }));
    },
  };
}

function dayOf(text: string): string {
  if (!DAY.test(text)) throw new Error(`"${text}" is not a single day; ${PER_DAY}`);
  return dateOf(text);
}

type Sums = Omit<DailySum, "dimension" | "word" | "day" | "part">;
const UNKNOWN = { visits: null, bounces: null, duration_ms: null, pageviews: null, events: null };

/** Returns the sums of a row. Those that its report lacks are unknown. */
function sumsOf({ sums }: Report, of: Of): Sums {
  const count = (column: Column) => countOf(of(column), column);
  const countIn = (column: Column, visits: number | null): number => {
    const counted = count(column);
    if (counted === null && visits !== 0) throw new Error(`${column} is missing; export the report flat and by day`);
    return counted ?? 0;
  };
  switch (sums) {
    case "visits": {
      const visits = count("nb_visits");
      const pageviews = count("nb_pageviews") ?? (of("label") === "" ? count("nb_hits") : null);
      return {
        ...UNKNOWN,
        ...visitSums(of, visits),
        visits,
        visitors: countIn("nb_uniq_visitors", visits),
        pageviews,
      };
    }
    case "page": {
      const visits = count("nb_visits") ?? count("nb_uniq_pageviews");
      return { ...UNKNOWN, visits, visitors: countIn("nb_uniq_visitors", visits), pageviews: count("nb_hits") };
    }
    case "entry": {
      const visits = count("entry_nb_visits");
      const bounces = count("entry_bounce_count") ?? count("bounce_count");
      return {
        ...UNKNOWN,
        visits,
        visitors: countIn("entry_nb_uniq_visitors", visits),
        bounces,
        duration_ms: inMs(secondsOf(of("entry_sum_visit_length"), "entry_sum_visit_length")),
      };
    }
    case "exit": {
      const visits = count("exit_nb_visits");
      return { ...UNKNOWN, visits, visitors: countIn("exit_nb_uniq_visitors", visits) };
    }
    case "event": {
      const visits = count("nb_visits");
      return {
        ...UNKNOWN,
        visits,
        visitors: countIn("nb_uniq_visitors", visits),
        events: countIn("nb_events", visits),
      };
    }
    case "pageviews":
      return { ...UNKNOWN, visitors: 0, pageviews: count("nb_pageviews") ?? count("nb_hits") };
  }
}

const inMs = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds * 1000));

/** Returns bounces and durations, which reports without their sums have as a rate and as an average. */
function visitSums(of: Of, visits: number | null): Pick<Sums, "bounces" | "duration_ms"> {
  const seconds = (column: Column) => secondsOf(of(column), column);
  const ofAll = (one: number | null) => (one === null || visits === null ? null : one * visits);
  const bounces = countOf(of("bounce_count"), "bounce_count") ?? ofAll(rateOf(of("bounce_rate"), "bounce_rate"));
  return {
    bounces: bounces === null ? null : Math.round(bounces),
    duration_ms: inMs(seconds("sum_visit_length") ?? ofAll(seconds("avg_time_on_site"))),
  };
}

/** Notes what the totals lack, and what is computed from rounded values. */
function noteOf(has: Columns["has"]): string | null {
  const hasPageviews = has("nb_pageviews") || has("nb_hits");
  const missing = [
    ...(hasPageviews
      ? []
      : ["it has actions, which are not pageviews; these are unknown unless Actions.get is imported with it"]),
    ...(has("bounce_count")
      ? []
      : [has("bounce_rate") ? "bounces are computed from the rounded rate" : "bounces are unknown"]),
    ...(has("sum_visit_length")
      ? []
      : [has("avg_time_on_site") ? "durations are computed from the rounded average" : "durations are unknown"]),
  ];
  return missing.length > 0 ? missing.join("; ") : null;
}
