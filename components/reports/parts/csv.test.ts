import { expect, test } from "vitest";
import { csvOf } from "@/components/reports/parts/csv";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";

interface Row {
  name: string | null;
  count: number;
  rate: number | null;
  paid: { amount: string; currency: string };
}

const euros = (amount: string) => ({ amount, currency: "EUR" });
const sheet = (rows: Row[], before?: (Row | null)[]): Sheet =>
  sheetOf(
    "names",
    "Names",
    rows,
    [
      column<Row>("Name", "text", (row) => row.name),
      column<Row>("Count", "count", (row) => row.count),
      column<Row>("Rate", "fraction", (row) => row.rate),
      column<Row>("Paid", "money", (row) => row.paid),
    ],
    { before: before ?? null },
  );
const named = (name: string | null): Row => ({ name, count: 1, rate: null, paid: euros("0.00") });
const linesOf = (table: Sheet) =>
  csvOf(table)
    .replace(/^\ufeff/, "")
    .split("\r\n");

test("a file starts with a byte order mark and a quoted header; money columns name their currency", () => {
  expect(csvOf(sheet([named("a")])).startsWith('\ufeff"Name","Count","Rate","Paid (EUR)"\r\n')).toBe(true);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "=cmd|'/c calc'!A0"])(
  "text that a spreadsheet would run as a formula, such as %j, is escaped",
  (name) => {
    expect(csvOf(sheet([named(name)]))).toContain(`"'${name}",1,`);
  },
);

test("commas, quotes, line breaks and non-Latin letters stay within their field", () => {
  const csv = csvOf(sheet([named('a,b "c"\nd München 東京')]));
  expect(csv).toContain('"a,b ""c""\nd München 東京",1,,0.00\r\n');
});

test("numbers have no more than four decimal places or four digits, no grouping and no exponent, and unknown ones are empty, never 0", () => {
  const lines = linesOf(
    sheet([
      { name: "a", count: 1234567, rate: 1 / 3, paid: euros("-12.50") },
      { name: "b", count: 0, rate: 0.000_000_123_456, paid: euros("12.123456789") },
      { name: "c", count: 1234567.123_456, rate: null, paid: euros("0.00") },
    ]),
  );
  expect(lines.slice(1, 4)).toEqual([
    '"a",1234567,0.3333,-12.50',
    '"b",0,0.0000001235,12.123456789',
    '"c",1234567.1235,,0.00',
  ]);
});

test("an unknown value has the name that the page shows, and is empty where it shows none", () => {
  const named = column<null>("Source", "text", () => null, { unknown: "Direct or unknown" });
  const [, line] = linesOf(sheetOf("sources", "Sources", [null], [named, column<null>("Term", "text", () => null)]));
  expect(line).toBe('"Direct or unknown",');
});

test("a non-number in a numeric column is escaped as text", () => {
  const [, line] = linesOf(sheet([{ ...named("a"), paid: euros("-1+cmd()") }]));
  expect(line).toBe(`"a",1,,"'-1+cmd()"`);
});

test("a comparison adds a column per numeric column, empty for rows without a counterpart", () => {
  const [header, first, second] = linesOf(
    sheet([named("a"), named("b")], [{ ...named("a"), count: 7, rate: 0.5 }, null]),
  );
  expect(header).toBe('"Name","Count","Rate","Paid (EUR)","Count, before","Rate, before","Paid (EUR), before"');
  expect([first, second]).toEqual(['"a",1,,0.00,7,0.5,0.00', '"b",1,,0.00,,,']);
});
