import { EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { csvText, textOfCsv } from "@/lib/platform/csv";
import {
  checkColumns,
  dateOf,
  type FileHead,
  fieldReader,
  numberOf,
  type Service,
  SUM_DIMENSIONS,
  UnknownFile,
} from "@/lib/transfer/daily-sums";

/** The CSV in which the daily totals that imports brought leave a site, and by which they come back. */

/** A row of `facts.imported`. */
export interface ImportedTotal {
  /** As YYYY-MM-DD. */
  day: string;
  dimension: number;
  value: string;
  visitors: number;
  visits: number | null;
  bounces: number | null;
  duration_ms: number | null;
  pageviews: number | null;
  events: number | null;
  source: string;
}

const NUMBERS = ["visitors", "visits", "bounces", "duration_ms", "pageviews", "events"] as const;
export const TOTALS_COLUMNS = ["date", "dimension", "value", ...NUMBERS, "imported_from"];
export const TOTALS_HEADER = `${TOTALS_COLUMNS.map(csvText).join(",")}\r\n`;
/** The dimension of the totals of a whole day. */
const WHOLE_DAY = "all";
const KEYS = new Map<number, string>([
  [EVERYTHING, WHOLE_DAY],
  ...Object.entries(ROLLED).map(([key, number]) => [number, key] as const),
]);
const DIMENSIONS = new Map([...KEYS].map(([number, key]) => [key, number]));

/** Returns the line of a row. */
export function lineOfTotal(row: ImportedTotal): string {
  const texts = [row.day, KEYS.get(row.dimension) ?? "", row.value].map(csvText);
  const numbers = NUMBERS.map((name) => row[name] ?? "");
  return `${[...texts, ...numbers, csvText(row.source)].join(",")}\r\n`;
}

const isTotals = ({ header }: FileHead): boolean => header.includes("imported_from") && header.includes("dimension");

export const FOOTFALL_TOTALS: Service = {
  name: "footfall_totals",
  expected: "its export of events as NDJSON, or as CSV with the row of column names; or of imported totals as CSV.",
  claims: isTotals,
  reader(file) {
    if (!isTotals(file)) throw new UnknownFile("it is no export of imported totals");
    checkColumns(file.header, TOTALS_COLUMNS.join(" "));
    const field = fieldReader(file.header);
    return {
      table: "daily_sum",
      note: "the services that the totals came from are not kept: all are removed together",
      read(fields) {
        const of = field(fields);
        const dimension = DIMENSIONS.get(of("dimension"));
        if (dimension === undefined) throw new Error(`${of("dimension")} is not a dimension of imported totals`);
        const numbers = NUMBERS.map((name) => [name, wholeOf(of(name), name)] as const);
        const needed = ["visitors", ...(dimension === SUM_DIMENSIONS.event ? ["events"] : [])];
        for (const name of needed) if (of(name) === "") throw new Error(`${name} is missing`);
        return [{ dimension, day: dateOf(of("date")), word: textOfCsv(of("value")), ...Object.fromEntries(numbers) }];
      },
    };
  },
};

/** @throws Error for what is no whole number */
function wholeOf(text: string, name: string): number | null {
  const value = numberOf(text, name);
  if (value !== null && !Number.isSafeInteger(value)) throw new Error(`${name} is not a whole number: ${text}`);
  return value;
}
