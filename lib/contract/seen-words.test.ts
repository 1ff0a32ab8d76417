import { expect, test } from "vitest";
import { problemOfPage, seenInWords } from "@/lib/contract/seen-words";
import { inLanguage } from "@/lib/texts/in-language";

const german = (english: string) => inLanguage("de", () => seenInWords(english));

test("what was seen of a page that fails is a German sentence to its end", () => {
  expect(german("The page of example.com refuses connections, twice in a row.")).toBe(
    "Die Seite von example.com lehnt Verbindungen ab, zweimal hintereinander.",
  );
  expect(german("The page of example.com did not respond within 10 seconds, twice in a row.")).toContain(
    "antwortete nicht innerhalb von 10 Sekunden",
  );
  expect(inLanguage("de", () => problemOfPage("could not be read"))).toBe("konnte nicht gelesen werden");
});
