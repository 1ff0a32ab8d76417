import type { Patch } from "@/components/reports/view-frame";
import type { Tone } from "@/components/ui/badge";
import { formatDate } from "@/components/ui/format";
import { type Change, changeBetween } from "@/lib/contract/changes";
import {
  formatDecimal,
  formatExactly,
  formatMoney,
  formatMs,
  formatPercent,
  formatSeconds,
  numbers,
} from "@/lib/contract/numbers";
import { OUTCOMES } from "@/lib/contract/vocabulary";
import { legiblePath } from "@/lib/platform/legible";
import { currentLanguage, t } from "@/lib/texts/translate";

/**
 * A table of a report as plain data, shared by the page and its CSV download. Its title and the texts of its columns are English:
 * what shows them translates them, because whether more is better goes by the label.
 */
export interface Sheet {
  /** Unique within the report; the `table` parameter of its CSV download. */
  key: string;
  title: string;
  columns: Column[];
  rows: Cell[][];
  /** The comparison rows in the order of `rows`; null for rows without one. */
  before: (Cell[] | null)[] | null;
  /** Index of the column that is drawn as bars behind the first one and shows its change. */
  bar: number | null;
  /** The view that each row links to. */
  links: (Patch | null)[] | null;
  /** The page that each row links to, where that is another one. */
  hrefs?: string[];
}

/** What every report gets; most need more. */
export interface ReportProps<Answer> {
  answer: Answer;
  /** Tables of the answer by key. */
  sheets: Map<string, Sheet>;
}

/**
 * Type of a column: `path` holds percent-encoded paths, decoded for people; `date` is a local day (2026-11-20), `count` an integer, `number` any number, `fraction` 0 to 1,
 * `seconds` and `ms` durations, `money` a decimal string in the column's currency. A null cell is unknown, never 0.
 */
export type Kind = "text" | "path" | "date" | "count" | "number" | "fraction" | "seconds" | "ms" | "money";
export type Cell = string | number | null;

export interface Column {
  label: string;
  kind: Kind;
  /** Tooltip that explains the column. */
  about?: string | undefined;
  /** Display text of null. */
  unknown?: string | undefined;
  currency?: string | undefined;
  /** The kind of each row, for a column with several. */
  kinds?: readonly Kind[] | undefined;
  /** The colour of each row's text, which says the same. */
  tones?: readonly (Tone | null)[] | undefined;
  /** The icon of each row's value, as `iconOf` returns it. */
  icons?: readonly (string | undefined)[] | undefined;
}

interface Money {
  amount: string;
  currency: string;
}
export interface ColumnOf<Row> extends Column {
  of(row: Row): Cell | Money;
  icon?(row: Row): string | undefined;
}
/** What a column may have besides its label, kind and cells. */
export type Describing<Row> = Omit<ColumnOf<Row>, "label" | "kind" | "of">;

/** Defines a column. @param of returns the cell of a row */
export const column = <Row>(
  label: string,
  kind: Kind,
  of: ColumnOf<Row>["of"],
  more: Describing<Row> = {},
): ColumnOf<Row> => ({ label, kind, of, ...more });

interface Valued {
  conversion_value: Money | null;
}

/** Returns the column of what conversions are worth; none where no goal has a value. */
export const valued = <Row extends Valued>(rows: readonly Row[]): ColumnOf<Row>[] =>
  rows.some(({ conversion_value }) => conversion_value !== null)
    ? [column<Row>(OUTCOMES.conversion_value.label, "money", (row) => row.conversion_value)]
    : [];

interface More<Row> {
  before?: readonly (Row | null)[] | null;
  bar?: number;
  link?: (row: Row) => Patch | null;
  href?: (row: Row) => string;
}

/** Converts rows of an operation's answer to a sheet. */
export function sheetOf<Row>(
  key: string,
  title: string,
  rows: readonly Row[],
  columns: readonly ColumnOf<Row>[],
  { before = null, bar, link, href }: More<Row> = {},
): Sheet {
  const cells = (row: Row) => columns.map(({ of }) => plain(of(row)));
  return {
    key,
    title,
    columns: columns.map(({ of, icon, ...column }) => ({
      ...column,
      currency: currencyIn(rows, of),
      ...(icon && { icons: rows.map(icon) }),
    })),
    rows: rows.map(cells),
    before: before?.map((row) => row && cells(row)) ?? null,
    bar: bar ?? null,
    links: link ? rows.map(link) : null,
    ...(href && { hrefs: rows.map(href) }),
  };
}

const isMoney = (cell: Cell | Money): cell is Money => typeof cell === "object" && cell !== null;
const plain = (cell: Cell | Money): Cell => (isMoney(cell) ? cell.amount : cell);

function currencyIn<Row>(rows: readonly Row[], of: ColumnOf<Row>["of"]): string | undefined {
  for (const row of rows) {
    const cell = of(row);
    if (isMoney(cell)) return cell.currency;
  }
}

const decimal = numbers({ maximumFractionDigits: 3 });

/** Returns the column as it is in one row. */
export const columnAt = (column: Column, place: number): Column => ({
  ...column,
  kind: column.kinds?.[place] ?? column.kind,
});

/** Formats a cell for display, without shortening numbers. */
export function formatCell({ kind, currency, unknown }: Column, cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return unknown === undefined ? "–" : t(unknown);
  if (kind === "text") return `${cell}`;
  if (kind === "path") return legiblePath(`${cell}`);
  if (kind === "date") return formatDate(`${cell}`);
  if (typeof cell === "string") return currency ? formatMoney({ amount: cell, currency }) : formatDecimal(cell);
  switch (kind) {
    case "fraction":
      return formatPercent(cell);
    case "seconds":
      return formatSeconds(cell);
    case "ms":
      return formatMs(cell);
    case "number":
      return decimal().format(cell);
    default:
      return formatExactly(cell);
  }
}

/** Formats a fraction, or a dash if it is unknown. */
export const formatFraction = (share: number | null): string => formatCell({ label: "", kind: "fraction" }, share);

export const isNumeric = ({ kind }: Column): boolean => !["text", "path", "date"].includes(kind);

/** Returns the row indexes sorted by a column; unknown values come last in both directions. */
export function orderBy({ columns, rows }: Sheet, column: number, descending: boolean): number[] {
  const numeric = columns[column] && isNumeric(columns[column]);
  const indexes = rows.map((_, index) => index);
  return indexes.sort((a, b) => {
    const [one, other] = [rows[a]?.[column] ?? null, rows[b]?.[column] ?? null];
    if (one === null || other === null) return one === other ? a - b : one === null ? 1 : -1;
    const order = numeric ? Number(one) - Number(other) : String(one).localeCompare(String(other), currentLanguage());
    return (descending ? -order : order) || a - b;
  });
}

/** Returns how a cell changed against that of the comparison, judged by its column. */
export const changeOfCell = (column: Column, now: Cell | undefined, before: Cell | undefined): Change | null =>
  changeBetween({ label: column.label, isRate: column.kind === "fraction" }, numberIn(now), numberIn(before), (value) =>
    formatCell(column, column.kind === "money" ? moneyText(value, now, before) : value),
  );

const numberIn = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell));

/** Returns the cell of a number of money, which is a decimal string. */
const moneyText = (value: number, ...cells: (Cell | undefined)[]): Cell =>
  cells.find((cell) => Number(cell) === value) ?? null;
