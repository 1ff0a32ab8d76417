import { expect, test } from "vitest";
import { changeOfCell, column, formatCell, orderBy, sheetOf } from "@/components/reports/sheet";
import { formatMoney } from "@/lib/contract/numbers";

type Row = [name: string, value: number | string | null];
const sheet = (...rows: Row[]) =>
  sheetOf("s", "S", rows, [
    column<Row>("Name", "text", ([name]) => name),
    column<Row>("Value", "money", ([, value]) => value),
  ]);

test("numeric columns sort by value, and the sort is stable", () => {
  const table = sheet(["b", "9.00"], ["a", "10.00"], ["c", "9.00"], ["d", "-3.00"]);
  expect(orderBy(table, 1, true)).toEqual([1, 0, 2, 3]);
  expect(orderBy(table, 1, false)).toEqual([3, 0, 2, 1]);
  expect(orderBy(table, 0, false)).toEqual([1, 0, 2, 3]);
});

test("unknown values sort last in both directions", () => {
  const table = sheet(["a", null], ["b", "1"], ["c", "2"]);
  expect(orderBy(table, 1, true)).toEqual([2, 1, 0]);
  expect(orderBy(table, 1, false)).toEqual([1, 2, 0]);
});

test("money is formatted without loss of digits, and unknown is never 0", () => {
  expect(formatMoney({ amount: "12345678901234567.89", currency: "EUR" })).toBe("12,345,678,901,234,567.89\u00a0EUR");
  expect(formatMoney({ amount: "-1500", currency: "JPY" })).toBe("−1,500\u00a0JPY");
  expect(formatCell({ label: "", kind: "number" }, "3976.85")).toBe("3,976.85");
  expect(formatCell({ label: "", kind: "money" }, null)).toBe("–");
  expect(formatCell({ label: "", kind: "text", unknown: "Direct" }, null)).toBe("Direct");
});

test("a change of a cell is judged by its column, and is none if the previous value is 0 or unknown", () => {
  const count = { label: "Visitors", kind: "count" } as const;
  const money = { label: "Refunds", kind: "money", currency: "EUR" } as const;
  expect(changeOfCell(count, 15, 10)).toEqual({ up: true, better: true, text: "50%" });
  expect(changeOfCell(money, "5.00", "10.00")).toEqual({ up: false, better: true, text: "50%" });
  expect([
    changeOfCell(count, 1, 0),
    changeOfCell(count, 1, null),
    changeOfCell(count, null, 1),
    changeOfCell(count, 1, undefined),
  ]).toEqual([...[null, null, null, null]]);
});
