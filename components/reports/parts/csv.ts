import { type Cell, type Column, isNumeric, type Sheet } from "@/components/reports/sheet";
import { BYTE_ORDER_MARK, csvText } from "@/lib/platform/csv";
import { t } from "@/lib/texts/translate";

/**
 * Returns a sheet as CSV (RFC 4180, UTF-8) with a header row, as people read it: values have their
 * names, numbers at most four decimal places or four digits. An empty field is an unknown number. A
 * comparison adds one column per numeric column.
 */
export function csvOf({ columns, rows, before }: Sheet): string {
  const compared = before ? columns.flatMap((column, index) => (isNumeric(column) ? [{ column, index }] : [])) : [];
  const header = [
    ...columns.map(nameOf),
    ...compared.map(({ column }) => t("{column}, before", { column: nameOf(column) })),
  ].map(csvText);
  const lines = rows.map((row, place) => [
    ...columns.map((column, index) => field(column, row[index])),
    ...compared.map(({ column, index }) => field(column, before?.[place]?.[index])),
  ]);
  return `${BYTE_ORDER_MARK}${[header, ...lines].map((line) => `${line.join(",")}\r\n`).join("")}`;
}

const nameOf = ({ label, currency }: Column): string => (currency ? `${t(label)} (${currency})` : t(label));

/** Without grouping and exponents, whatever the reader's locale: spreadsheets read it. */
const PLAIN = new Intl.NumberFormat("en-US", {
  useGrouping: false,
  maximumFractionDigits: 4,
  maximumSignificantDigits: 4,
  roundingPriority: "morePrecision",
});

const NUMBER = /^-?\d+(\.\d+)?$/;

function field(column: Column, cell: Cell | undefined): string {
  if (cell === null || cell === undefined)
    return !isNumeric(column) && column.unknown ? csvText(t(column.unknown)) : "";
  if (typeof cell === "number") return PLAIN.format(cell);
  return isNumeric(column) && NUMBER.test(cell) ? cell : csvText(cell);
}
