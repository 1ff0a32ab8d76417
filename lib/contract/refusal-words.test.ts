import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionInWords, connectionSentence } from "@/lib/contract/connection-words";
import { EXPECTED, FILE_PROBLEMS, IMPORT_FAILURES, importFailureInWords } from "@/lib/contract/refusal-words";
import { inLanguage } from "@/lib/texts/in-language";
import { InvalidLine } from "@/lib/transfer/import";
import { SERVICES } from "@/lib/transfer/sources";

const german = (problem: string) => inLanguage("de", () => importFailureInWords(problem));

test("why an import failed is in the reader's language line by line, with the names that it has", () => {
  expect(
    german("Nothing was imported: 2 of 3 files cannot be read.\na/{b}.csv: it occurs twice.\nx.csv: strange."),
  ).toBe(
    "Nichts wurde importiert: 2 von 3 Dateien lassen sich nicht lesen.\na/{b}.csv: sie kommt zweimal vor.\nx.csv: strange.",
  );
  expect(inLanguage("en", () => importFailureInWords("None of the files is known.\nx"))).toBe(
    "None of the files is known.\nx",
  );
});

test("why single files, columns and lines cannot be read is in the reader's language, with several reasons in one", () => {
  expect(
    german(
      [
        'a.csv: unknown columns "x", "y" and 2 more; missing column "date"; expected columns: date, visitors.',
        'b.csv: "2024-02" is not a single day; export it with period=day and date=2024-01-01,2024-12-31 (the first and last day).',
        "c.csv: strange; a column occurs twice.",
        'd.csv: column "name".',
      ].join("\n"),
    ).split("\n"),
  ).toEqual([
    'a.csv: unbekannt: Spalten "x", "y" und 2 weitere; fehlend: Spalte "date"; erwartete Spalten: date, visitors.',
    "b.csv: „2024-02“ ist kein einzelner Tag; exportieren Sie mit period=day und date=2024-01-01,2024-12-31 (dem ersten und letzten Tag).",
    "c.csv: strange; eine Spalte kommt zweimal vor.",
    'd.csv: Spalte "name".',
  ]);
  const line = new InvalidLine(3, "visits is not a number: x; fix or remove the line", "e.csv").message;
  expect(german(line)).toMatch(
    /^e\.csv, Zeile 3: visits ist keine Zahl: x; korrigieren oder entfernen Sie die Zeile\. Importieren Sie/,
  );
  expect(
    german(
      "f.parquet cannot be read as Parquet: it is cut off. Download the export again, or export it as NDJSON or CSV.",
    ),
  ).toContain("f.parquet lässt sich nicht als Parquet lesen: sie ist abgeschnitten.");
});

test("what is expected of the files of each service is in the reader's language", () => {
  for (const { name, expected } of Object.values(SERVICES))
    for (const line of [`Expected: ${expected}`, `${name}: ${expected}`])
      for (const language of ["de", "es"])
        expect(
          inLanguage(language, () => importFailureInWords(line)),
          language,
        ).not.toContain(expected);
});

test("what stops a fetch from Google or Bing is in the reader's language, on pages and as the problem of an import", () => {
  const stopped = connectionSentence("quota", "Google Analytics");
  expect(stopped).toMatch(/^Google Analytics has answered enough/);
  for (const words of [importFailureInWords, connectionInWords])
    expect(inLanguage("de", () => words(stopped))).toMatch(/^Google Analytics hat /);
});

test("each refusal that is translated is one that an import gives", () => {
  const sources = ["lib/transfer", "lib/analytics/engine"]
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => readFileSync(name, "utf8"))
    .join("\n");
  // Names stand before a refusal, and its full stop is added where it is thrown.
  const partsOf = (text: string) => text.split(/\{\w+\}/).map((part) => part.replace(/^[ :,]+|[. ]+$/g, ""));
  expect(
    [...IMPORT_FAILURES, ...FILE_PROBLEMS, ...EXPECTED].filter(
      (text) => !partsOf(text).every((part) => sources.includes(part)),
    ),
  ).toEqual([]);
});
