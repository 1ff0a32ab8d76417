import { expect, test } from "vitest";
import { pdfOf, type ReportOnPaper } from "@/components/reports/pdf/report-pdf";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { readPdf } from "@/lib/testing/pdf-text";

interface Row {
  name: string | null;
  count: number;
  rate: number | null;
  paid: { amount: string; currency: string };
}

const AT = new Date("2026-11-27T08:30:00Z");
const COLUMNS = [
  column<Row>("Source", "text", (row) => row.name, { unknown: "Direct or unknown" }),
  column<Row>("Visitors", "count", (row) => row.count),
  column<Row>("Bounce rate", "fraction", (row) => row.rate),
  column<Row>("Revenue", "money", (row) => row.paid),
];
const row = (name: string | null, count = 1234): Row => ({
  name,
  count,
  rate: 1 / 3,
  paid: { amount: "1234.50", currency: "EUR" },
});
const sheet = (rows: Row[], before: Row[] | null = null): Sheet =>
  sheetOf("sources", "Sources", rows, COLUMNS, { before, bar: 1 });

const report = (more: Partial<ReportOnPaper>): ReportOnPaper => ({
  site: "example.com",
  title: "Campaigns",
  about: ["Nov 1 – 27, 2026, in the time zone Europe/Berlin", "Country is Germany or France"],
  totals: [{ label: "Visitors", value: "12.3K", before: "11.1K" }],
  chart: null,
  sheets: [sheet([row("Google")])],
  at: AT,
  made: "Made on Nov 27, 2026 at 09:30",
  ...more,
});

const read = async (more: Partial<ReportOnPaper> = {}) => readPdf(await pdfOf(report(more)));

test("a PDF has site, title, range, filters, totals, and each table with its names and formatted numbers", async () => {
  const { texts, pages } = await read({ sheets: [sheet([row("Google"), row(null)], [row("Google", 617), row(null)])] });
  expect(pages).toBe(1);
  expect(texts).toEqual([
    ...["example.com", "Campaigns", "Nov 1 – 27, 2026, in the time zone Europe/Berlin", "Country is Germany or France"],
    ...["Visitors", "12.3K", "was 11.1K", "Sources"],
    ...["Source", "Visitors", "Change", "Bounce rate", "Revenue"],
    ...["Google", "1,234", "+100%", "33.3%", "1,234.50\u00a0EUR"].map((text) => text.replace("\u00a0", " ")),
    ...["Direct or unknown", "1,234", "–", "33.3%", "1,234.50 EUR"],
    ...["Campaigns · example.com · Made on Nov 27, 2026 at 09:30 · Footfall", "1 of 1"],
  ]);
});

test("text in Latin, Greek, Cyrillic and Vietnamese letters can be searched, and other scripts are noted as missing", async () => {
  const names = ["Zürich Łódź ąčęß", "Αθήνα", "Київ Ёлка", "Việt Nam"];
  const { texts } = await read({ sheets: [sheet(names.map((name) => row(name)))] });
  expect(texts).toEqual(expect.arrayContaining(names));
  expect(texts.join()).not.toContain("shown as boxes");
  const other = await read({ sheets: [sheet([row("東京"), row("القاهرة")])] });
  expect(other.texts.join(" ")).toContain("Some letters are of scripts that this file has no font for");
});

test("a long table has a head on each page, and says how many rows only its CSV has", async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => row(`Source ${index}`));
  const { texts, pages } = await read({ sheets: [sheet(rows)] });
  expect(pages).toBeGreaterThan(1);
  expect(texts.filter((text) => text === "Bounce rate")).toHaveLength(pages);
  expect(texts).toContain("Source 99");
  expect(texts).not.toContain("Source 100");
  expect(texts).toContain("The first 100 of 1,000 rows. The CSV of this table has all.");
  expect(texts).toContain(`${pages} of ${pages}`);
});

test("what visitors wrote is only drawn: no links, scripts or files, and no text leaves its page", async () => {
  const hostile = [
    ") Tj ET /JS (app.alert(1)) /OpenAction",
    "https://evil.example/?<script>alert(1)</script>",
    "endstream endobj 1 0 obj",
    `a${"x".repeat(20_000)}`,
    "\u202egnp.exe\u0000\u0007 \r\n line",
    "",
  ];
  const { texts, source, pages } = await read({
    site: hostile[0] ?? "",
    title: hostile[1] ?? "",
    about: hostile,
    sheets: [sheet(hostile.map((name) => row(name)))],
  });
  const structure = source.replace(/stream\n[\s\S]*?\nendstream/g, "").replace(/\((?:\\.|[^\\)])*\)/gs, "()");
  for (const word of ["/JS", "/JavaScript", "/OpenAction", "/Annots", "/URI", "/Launch", "/EmbeddedFile", "/AcroForm"])
    expect(structure).not.toContain(word);
  expect(pages).toBeLessThan(4);
  expect(texts.join("\n")).toContain("endstream endobj 1 0 obj");
  expect(texts.join("\n")).toContain("gnp.exe line");
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(400);
});

test("a table of any width is drawn, without text that leaves the page", async () => {
  const wide = sheetOf(
    "wide",
    "Wide",
    [row("a name that is longer than its column of a table with very many columns")],
    Array.from({ length: 14 }, (_, index) =>
      column<Row>(`A metric with a long name ${index}`, index < 3 ? "text" : "count", ({ name, count }) =>
        index < 3 ? name : count * 1e9,
      ),
    ),
  );
  const none = sheetOf<Row>("none", "Nothing", [], COLUMNS);
  const { texts } = await read({ sheets: [wide, none] });
  expect(texts.filter((text) => text === "1,234,000,000,000")).toHaveLength(11);
  expect(texts).toContain("No data in this range.");
});
