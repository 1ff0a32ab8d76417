import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { noteInWords, SKIP_REASONS } from "@/lib/contract/note-words";
import { inLanguage } from "@/lib/texts/in-language";

const german = (note: string) => inLanguage("de", () => noteInWords(note));

test("notes of imports are in the reader's language, with the names that they have, and several reasons in one", () => {
  expect(german("3 events were added, 1 were stored already.")).toBe(
    "3 Ereignisse wurden hinzugefügt, 1 waren schon gespeichert.",
  );
  expect(
    german(
      "1 events are of pages on a.example, b.example and others, which no domain of this site has. They are imported too.",
    ),
  ).toMatch(/^1 Ereignisse sind von Seiten auf a\.example, b\.example und anderen, /);
  expect(german("data/{it's}: x.csv: 12 rows skipped: robots.")).toBe(
    "data/{it's}: x.csv: 12 Zeilen übersprungen: Robots.",
  );
  expect(german("a.csv: it has no Bounce rate and no Average session duration; unknown for its days.")).toBe(
    "a.csv: es fehlt: Bounce rate, Average session duration; für ihre Tage unbekannt.",
  );
  expect(
    german(
      "a.csv: it does not tell how long visits last, nor how many have one page; unknown for its days; metadata cannot be stored in daily sums.",
    ),
  ).toMatch(/^a\.csv: sie sagt nicht.*; für ihre Tage unbekannt; Metadaten lassen sich/);
  expect(german("b.csv is skipped: of a kind that is not known here.")).toBe(
    "b.csv wird übersprungen: of a kind that is not known here.",
  );
  expect(inLanguage("en", () => noteInWords("a.csv: robots."))).toBe("a.csv: robots.");
});

test("each reason that is translated is one that a service gives", () => {
  const sources = readdirSync("lib/transfer")
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => readFileSync(`lib/transfer/${name}`, "utf8"))
    .join("\n");
  expect(SKIP_REASONS.filter((reason) => !reason.split(/\{\w+\}/).every((part) => sources.includes(part)))).toEqual([]);
});
