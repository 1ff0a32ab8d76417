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

test("what an alert saw has the numbers and durations of the reader's language", () => {
  expect(
    german("Visit duration: 2m 31s on 20 November 2026; the same time of the last 2 weeks had 1m 5s, 1,024, 50%."),
  ).toContain("2\u00a0min 31\u00a0s");
  const past = german("Visits: 3 on 20 November 2026; the same time of the last 3 weeks had 1m 5s, 1,024, 50%.");
  expect(past).toContain("1\u00a0min 5\u00a0s, 1.024, 50\u00a0%");
});
