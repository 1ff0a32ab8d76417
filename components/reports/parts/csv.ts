import { type Cell, type Column, isNumeric, type Sheet } from "@/components/reports/sheet";
import { BYTE_ORDER_MARK, csvText } from "@/lib/platform/csv";

/**
 * Returns a sheet as CSV (RFC 4180, UTF-8) with a header row. Numbers are not rounded; an empty field is unknown. A
 * comparison adds one column per numeric column.
 */
export function csvOf({ columns, rows, before }: Sheet): string {
  const compared = before ? columns.flatMap((column, index) => (isNumeric(column) ? [{ column, index }] : [])) : [];
  const header = [...columns.map(nameOf), ...compared.map(({ column }) => `${nameOf(column)}, before`)].map(csvText);
  const lines = rows.map((row, place) => [
    ...columns.map((column, index) => field(column, row[index])),
    ...compared.map(({ column, index }) => field(column, before?.[place]?.[index])),
  ]);
  return `${BYTE_ORDER_MARK}${[header, ...lines].map((line) => `${line.join(",")}\r\n`).join("")}`;
}

const nameOf = ({ label, currency }: Column): string => (currency ? `${label} (${currency})` : label);

const NUMBER = /^-?\d+(\.\d+)?$/;

function field(column: Column, cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return `${cell}`;
  return isNumeric(column) && NUMBER.test(cell) ? cell : csvText(cell);
}
