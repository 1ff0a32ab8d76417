import { expect, test } from "vitest";
import { importedList, importedMetrics } from "@/lib/testing/imported";
import { rowsOf } from "@/lib/testing/rows";
import { sampled } from "@/lib/testing/tier";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite } from "@/lib/testing/world";
import { MATOMO } from "@/lib/transfer/matomo";

const json = (value: unknown) => JSON.stringify(value);

const utf16 = (text: string, order: "le" | "be" = "le"): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};
/** An export of the interface for one day, with the day in its name, and its headers and separators of each language. */
const LANGUAGES: readonly [name: string, summary: string, browsers: string][] = [
  [
    "Export _ Visits Summary _ Saturday, March 1, 2025.csv",
    "Unique visitors,Visits,Users,Actions,Maximum actions in one visit,Bounces,Total time spent by visitors (in seconds),Bounce Rate,Actions per Visit,Avg. Visit Duration (in seconds)\n10,12,0,40,9,3,720,25%,3.3,60",
    "Label,Unique visitors,Visits,Actions,Total time spent by visitors (in seconds),Bounces,Conversion Rate,Metadata: logo,Metadata: segment\n'=Firefox,7,8,20,480,2,0%,plugins/Morpheus/icons/dist/browsers/FF.png,browserCode==FF",
  ],
  [
    "Export _ Besucherüberblick _ Samstag, 1. März 2025.csv",
    "Eindeutige Besucher;Besuche;Benutzer;Aktionen;Maximale Aktionen pro Besuch;Absprünge;Von Besuchern verbrachte Gesamtzeit (in Sekunden);Absprungsrate;Durchschn. Besuchszeit (in Sekunden)\n10;12;0;40;9;3;720;25,5 %;60",
    "Bezeichnung;Eindeutige Besucher;Besuche;Aktionen;Von Besuchern verbrachte Gesamtzeit (in Sekunden);Absprünge;Konversionsrate;Metadaten: segment\n'=Firefox;7;8;20;00:08:00;2;0 %;browserCode==FF",
  ],
  [
    "Exporter _ Récapitulatif des visites _ samedi 1 mars 2025.tsv",
    "Visiteurs uniques\tVisites\tUtilisateurs\tActions\tRebonds\tTemps total passé par les visiteurs (en secondes)\tTaux de rebond\n10\t12\t0\t40\t3\t12 min 0s\t25,5 %",
    "Nom\tVisiteurs uniques\tVisites\tActions\tTemps total passé par les visiteurs (en secondes)\tRebonds\tTaux de conversion\tMéta-données: segment\n'=Firefox\t7\t8\t20\t480\t2\t0 %\tbrowserCode==FF",
  ],
  [
    "Exportar _ Resumen de visitas _ sábado, 1 de marzo de 2025.csv",
    'Visitantes únicos,Visitas,Usuarios,Acciones,Rebotes,Tiempo total de los visitantes en el sitio (en segundos),Porcentaje de rebote\n10,12,0,40,3,720,"25,5 %"',
    "Etiqueta,Visitantes únicos,Visitas,Acciones,Tiempo total de los visitantes en el sitio (en segundos),Rebotes,Porcentaje de conversión,Metadatos: segment\n'=Firefox,7,8,20,480,2,0%,browserCode==FF",
  ],
];

test("exports of Matomo's interface are read in English, German, French and Spanish, in UTF-16, with the day in their names", async () => {
  for (const [name, summary, browsers] of sampled(LANGUAGES, 2)) {
    const site = await makeSite();
    const files = { [name]: utf16(summary), [name.replace(/_.*_/, "_ X _")]: utf16(browsers, "be") };
    expect([name, await importFiles(site, MATOMO, files)]).toMatchObject([name, { days: 1, rows: 2 }]);
    expect([name, await importedMetrics(site)]).toMatchObject([
      name,
      { visitors: 10, visits: 12, bounce_rate: 0.25, visit_duration: 60 },
    ]);
    expect([name, await importedList(site, "browser", "visits,bounce_rate,visit_duration")]).toEqual([
      name,
      [["=Firefox", 8, 0.25, 60]],
    ]);
  }
});

const rowsStored = (siteId: number) => rowsOf`
  SELECT dimension, day::text, value, visitors, visits, bounces, duration_ms::text, pageviews, events FROM facts.imported
  WHERE site_id = ${siteId} ORDER BY dimension, day, value`;

const DAYS = ["2025-03-01", "2025-03-02"];
const sumsOf = (count: number) => ({
  nb_uniq_visitors: count,
  nb_visits: count + 2,
  bounce_count: 1,
  sum_visit_length: count * 10,
});
/** A report of both days by label, with names that need quotes. */
function rowsByLabel() {
  const labels = ["Chrome", 'a "quoted", name; with, all', "Firefox", "=1+1", "ünïcode"];
  return DAYS.flatMap((date, day) =>
    labels.map((label, index) => ({
      date,
      label,
      ...sumsOf(100 + 379 * day + 83 * index),
      segment: "browserCode==XX",
    })),
  );
}

/** As Matomo writes CSV: a mark before formulas, no tabs in fields, and metadata with a prefix. */
function csvOf(rows: Record<string, unknown>[], separator: string): string {
  const names = Object.keys(rows[0] ?? {});
  const field = (value: unknown) => {
    const text = String(value)
      .replaceAll("\t", " ")
      .replace(/^(?=[=+\-@])/, "'");
    return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const header = names.map((name) => (name === "segment" ? "metadata_segment" : name)).join(separator);
  return [header, ...rows.map((row) => names.map((name) => field(row[name])).join(separator))].join("\n");
}

test("a report of Matomo stores the same sums as JSON, CSV or TSV, in one file or one of each day", async () => {
  const last = { date: "2025-03-01", label: "last", ...sumsOf(500), segment: "browserCode==XX" };
  const rows = [...rowsByLabel(), last];
  const summary = json(Object.fromEntries(DAYS.map((day) => [day, sumsOf(5_000)])));
  const ofDay = (day: string | undefined) => rows.filter(({ date }) => date === day);
  const undated = (day: string | undefined) => ofDay(day).map(({ date: _, ...row }) => row);
  const forms: Record<string, string | Uint8Array>[] = [
    { "a.json": json(Object.fromEntries(DAYS.map((day) => [day, undated(day)]))) },
    { "a.csv": csvOf(rows, ",") },
    { "a.csv": utf16(csvOf(rows, ";")) },
    { "a.tsv": csvOf(rows, "\t") },
    Object.fromEntries(DAYS.map((day) => [`browsers ${day}.json`, json(undated(day))])),
  ];
  const stored: unknown[] = [];
  for (const form of forms) {
    const site = await makeSite();
    await importFiles(site, MATOMO, { "summary.json": summary, ...form });
    stored.push(await rowsStored(site.id));
  }
  for (const other of stored) expect(other).toEqual(stored[0]);
  expect((stored[0] as unknown[]).length).toBe(2 + rows.length);
});
