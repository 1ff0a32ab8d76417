import { type Cell, type Column, isNumeric, type Sheet } from "@/components/reports/sheet";
import { BYTE_ORDER_MARK, csvText } from "@/lib/platform/csv";

/**
 * A sheet as CSV (RFC 4180, UTF-8) with a header row. Numbers are those of the operation, not rounded; an empty field is
 * unknown. With a comparison each number has a column of its own for it.
 */
export function csvOf({ columns, rows, before }: Sheet): string {
  const beside = before ? columns.flatMap((column, index) => (isNumeric(column) ? [{ column, index }] : [])) : [];
  const header = [...columns.map(nameOf), ...beside.map(({ column }) => `${nameOf(column)}, before`)].map(csvText);
  const lines = rows.map((row, place) => [
    ...columns.map((column, index) => field(column, row[index])),
    ...beside.map(({ column, index }) => field(column, before?.[place]?.[index])),
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
