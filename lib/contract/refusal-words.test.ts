import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REFUSALS, refusalInWords } from "@/lib/contract/refusal-words";
import { inLanguage } from "@/lib/texts/in-language";

const german = (problem: string) => inLanguage("de", () => refusalInWords(problem));

test("why an import failed is in the reader's language line by line, with the names that it has", () => {
  expect(
    german("Nothing was imported: 2 of 3 files cannot be read.\na/{b}.csv: it occurs twice.\nx.csv: strange."),
  ).toBe(
    "Nichts wurde importiert: 2 von 3 Dateien lassen sich nicht lesen.\na/{b}.csv: sie kommt zweimal vor.\nx.csv: strange.",
  );
  expect(inLanguage("en", () => refusalInWords("None of the files is known.\nx"))).toBe(
    "None of the files is known.\nx",
  );
});

test("each refusal that is translated is one that an import gives", () => {
  const sources = readdirSync("lib/transfer")
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => readFileSync(`lib/transfer/${name}`, "utf8"))
    .join("\n");
  expect(REFUSALS.filter((refusal) => !refusal.split(/\{\w+\}/).every((part) => sources.includes(part)))).toEqual([]);
});
