import { expect, test } from "vitest";
import type { ColumnMeaning } from "@/lib/contract/import-columns";
import { rowsOf } from "@/lib/testing/rows";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite } from "@/lib/testing/world";
import { bare } from "@/lib/transfer/countries";
import type { FileHead } from "@/lib/transfer/daily-sums";
import { UnknownFile } from "@/lib/transfer/daily-sums";
import { GA4 } from "@/lib/transfer/ga4";
import names from "@/lib/transfer/ga4-names.json" with { type: "json" };
import { ga4Number } from "@/lib/transfer/ga4-numbers";

/** Reports of Google Analytics in the languages of its user interface. */

const NOW = new Date("2025-03-20T12:00:00Z");
const COMMENTS = "# ----\n# Freiform 1\n# 20250301-20250302\n# ----\n\n";

const rowsOfFile = (file: Partial<FileHead> & Pick<FileHead, "header">, row: string[]) => {
  const reader = GA4.reader({ name: "a.csv", comments: [], sample: [row], isJson: false, ...file });
  if (!("table" in reader)) throw new Error("it was skipped");
  return reader.read(row);
};

/** Returns the first name of a meaning in a language, or the English one, which it shares then. */
function nameIn(language: string, meaning: ColumnMeaning): string {
  const all = names as Record<string, Partial<Record<ColumnMeaning, string>>>;
  return (all[language]?.[meaning] ?? all.en?.[meaning] ?? "").split(" | ")[0] ?? "";
}

test("a report in any of 25 languages is read by the names of its columns", () => {
  const languages = Object.keys(names);
  expect(languages).toHaveLength(25);
  for (const language of languages) {
    const header = (["date", "country", "visitors", "visits", "pageviews", "bounce_rate", "duration"] as const).map(
      (meaning) => nameIn(language, meaning),
    );
    const germany = new Intl.DisplayNames(language, { type: "region" }).of("DE") ?? "";
    const [row] = rowsOfFile({ header }, ["20250301", germany, "8", "10", "25", "0.4", "30.5"]);
    expect([language, row]).toEqual([
      language,
      expect.objectContaining({
        day: "2025-03-01",
        word: "DE",
        visitors: 8,
        visits: 10,
        pageviews: 25,
        bounces: 4,
        duration_ms: 305_000,
      }),
    ]);
  }
});

test("no name of a column means two things in two languages", () => {
  const found = new Map<string, string>();
  for (const meanings of Object.values(names))
    for (const [meaning, list] of Object.entries(meanings))
      for (const name of list.split(" | ")) {
        expect([name, found.get(bare(name)) ?? meaning]).toEqual([name, meaning]);
        found.set(bare(name), meaning);
      }
});

test("columns with unknown names are recognised by values that can mean only one thing", () => {
  const dimensionOf = (values: string[], more = "") => {
    const header = ["Tag", "Etwas", "totalUsers", "eventCount"];
    const sample = values.map((value) => ["20250301", value, "5", "9"]);
    const reader = GA4.reader({ name: `a${more}.csv`, comments: [], header, sample, isJson: false });
    return "table" in reader ? reader.read(sample[0] ?? [])[0]?.dimension : null;
  };
  const [device, os, channel, event, country] = [
    dimensionOf(["desktop", "mobile"]),
    dimensionOf(["Windows", "iOS"]),
    dimensionOf(["Organic Search", "Unassigned"]),
    dimensionOf(["sign_up", "page_view"]),
    dimensionOf(["Deutschland", "Österreich", "(not set)"]),
  ];
  expect(new Set([device, os, channel, event, country]).size).toBe(5);
  expect(dimensionOf(["Deutschland"])).toBe(country);
  const [source] = rowsOfFile({ header: ["date", "X", "totalUsers"] }, ["20250301", "google / organic", "5"]);
  expect(source).toMatchObject({ word: "Google" });
  // An average is a number that daily sums do not have, and no dimension.
  expect(
    rowsOfFile({ header: ["date", "Y", "totalUsers", "sessions", "screenPageViews"] }, [
      "20250301",
      "1.5",
      "5",
      "6",
      "7",
    ]),
  ).toMatchObject([{ visitors: 5, visits: 6, pageviews: 7 }]);
});

test("columns that can mean several things are asked for, with a suggestion, and the answer is used", () => {
  const header = ["Datum", "Besoekers", "Besoeke", "Kyke"];
  const sample = [
    ["20250301", "8", "10", "25"],
    ["20250302", "3", "4", "5"],
  ];
  const asked = (file: Partial<FileHead>) => {
    try {
      GA4.reader({ name: "af.csv", comments: [], header, sample, isJson: false, ...file });
      return [];
    } catch (error) {
      if (!(error instanceof UnknownFile)) throw error;
      return error.questions;
    }
  };
  expect(asked({})).toEqual([
    { file: "af.csv", column: "Besoekers", examples: ["8", "3"], suggestion: "visitors" },
    { file: "af.csv", column: "Besoeke", examples: ["10", "4"], suggestion: "visits" },
    { file: "af.csv", column: "Kyke", examples: ["25", "5"], suggestion: "pageviews" },
  ]);
  const meanings = { Besoekers: "visitors", Besoeke: "pageviews", Kyke: "visits" } as const;
  expect(asked({ meanings })).toEqual([]);
  expect(rowsOfFile({ header, meanings }, sample[0] ?? [])).toMatchObject([{ visitors: 8, visits: 25, pageviews: 10 }]);
  // Text in an unknown column splits rows, so it is never skipped in silence.
  expect(asked({ header: ["Datum", "Onderwerp", "totalUsers"], sample: [["20250301", "Nuus", "8"]] })).toMatchObject([
    { column: "Onderwerp", suggestion: null },
  ]);
});

test("numbers with any separators, digits and signs of percent are the same numbers", () => {
  const whole = (text: string) => ga4Number(text, "whole", "Users");
  const fraction = (text: string) => ga4Number(text, "fraction", "Rate");
  for (const text of [
    "1234567",
    "1,234,567",
    "1.234.567",
    "1 234 567",
    "1\u202f234\u202f567",
    "1'234'567",
    "12,34,567",
    "1234567.0",
    "١٬٢٣٤٬٥٦٧",
    "۱۲۳۴۵۶۷",
    "१२३४५६७",
    "1.234567E6",
  ])
    expect([text, whole(text)]).toEqual([text, 1_234_567]);
  for (const text of [
    "1234.5",
    "1,234.5",
    "1.234,5",
    "1 234,5",
    "1’234.5",
    "۱٬۲۳۴٫۵",
    "1234,5",
    "00:20:34.5",
    "20:34,5",
  ])
    expect([text, fraction(text)]).toEqual([text, 1_234.5]);
  for (const text of ["0.4", "0,4", "40%", "40 %", "40,0 %", "٤٠٪", "%40"])
    expect([text, fraction(text)]).toEqual([text, 0.4]);
  expect([whole("1.234"), fraction("1.234"), whole(""), fraction(" ")]).toEqual([1234, 1.234, null, null]);
  for (const text of [
    "-1",
    "1,2,3",
    "many",
    "1e999",
    "=1+1",
    "Infinity",
    "0x10",
    "1.23.4",
    "12:99:99:99",
    "%",
    "NaN",
    "1_000",
  ])
    expect(() => whole(text), text).toThrow(/Users is not a number/);
});

test("a report without days is imported for the one day that its comments name, in any language", async () => {
  const site = await makeSite();
  const head = (first: string, last: string) => `# Páginas\n# Fecha de inicio: ${first}\n# 終了日：${last}\n`;
  const table =
    'Ruta de página y clase de pantalla,Vistas,Usuarios activos,Vistas por usuario activo,Eventos clave\n/,120,80,"1,5",0\n';
  const totals = `${COMMENTS}Fecha,Total de usuarios,Sesiones,Vistas\n20250301,80,90,120\n`;
  const files = { "totales.csv": totals, "paginas.csv": head("20250301", "20250301") + table };
  expect(await importFiles(site, GA4, files, "UTC", NOW)).toMatchObject({ rows: 2, days: 1 });
  const range = { "totales.csv": totals, "paginas.csv": head("20250301", "20250331") + table };
  await expect(importFiles(site, GA4, range, "UTC", NOW)).rejects.toThrow(/paginas.csv: missing column "Date"/);
});

test("numbered days, totals rows and spreadsheet numbers of a report in another language give exact sums", async () => {
  const site = await makeSite();
  const text = `${COMMENTS}N-ième jour,Nombre total d'utilisateurs,Sessions,Vues,Taux de rebond,Durée moyenne des sessions\n,"1 500","1 600","3 000","0,5",30,Total général\n0000,"1 200","1 250","2 500","40,0 %","31,5"\n0001,300,350,500,"0,2",10\n`;
  expect(await importFiles(site, GA4, { "fr.csv": text }, "UTC", NOW)).toMatchObject({ rows: 2, days: 2 });
  expect(
    await rowsOf`SELECT day::text, visitors, visits, pageviews, bounces, duration_ms::int FROM facts.imported WHERE site_id = ${site.id} ORDER BY day`,
  ).toEqual([
    { day: "2025-03-01", visitors: 1200, visits: 1250, pageviews: 2500, bounces: 500, duration_ms: 39_375_000 },
    { day: "2025-03-02", visitors: 300, visits: 350, pageviews: 500, bounces: 70, duration_ms: 3_500_000 },
  ]);
});

test("a report that a spreadsheet saved with semicolons or tabs gives the same sums", async () => {
  for (const separator of [";", "\t"]) {
    const site = await makeSite();
    const rows = [
      ["# 20250301-20250302", "", "", "", ""],
      ["N-ter Tag", "Nutzer insgesamt", "Sitzungen", "Aufrufe", "Absprungrate"],
      ["", "1.500", "1.600", "3.000", "0,5", "Gesamtsumme"],
      ["0000", "1.200", "1.250", "2.500", "40,0 %"],
      ["0001", "300", "350", "500", "0,2"],
    ];
    const text = rows.map((row) => row.join(separator)).join("\n");
    expect(await importFiles(site, GA4, { "de.csv": text }, "UTC", NOW)).toMatchObject({ rows: 2, days: 2 });
    expect(
      await rowsOf`SELECT day::text, visitors, visits, pageviews, bounces FROM facts.imported WHERE site_id = ${site.id} ORDER BY day`,
    ).toEqual([
      { day: "2025-03-01", visitors: 1200, visits: 1250, pageviews: 2500, bounces: 500 },
      { day: "2025-03-02", visitors: 300, visits: 350, pageviews: 500, bounces: 70 },
    ]);
  }
});

test("hostile headers of a report are refused by name", async () => {
  const refused = async (text: string) => {
    const site = await makeSite();
    return importFiles(site, GA4, { "a.csv": text }, "UTC", NOW).then(String, (error: Error) => error.message);
  };
  expect(await refused("__proto__,constructor,totalUsers\n20250301,1,2\n")).toMatch(/unknown column "constructor"/);
  expect(await refused("Date,Date,Total users\n20250301,20250301,2\n")).toMatch(/a column occurs twice/);
  expect(await refused(`Date,${"x".repeat(5000)},Total users\n20250301,1,2\n`)).toMatch(/unknown column "x{50,100}/);
  expect(await refused("Datum,Land,Stad,Nutzer\n20250301,Deutschland,Bonn,2\n")).toMatch(/are more than one dimension/);
  expect(await refused("Datum,Land,Nutzer\n20250301,Narnia,2\n")).toMatch(
    /a.csv, line 2: "Narnia" is not a known country/,
  );
});
