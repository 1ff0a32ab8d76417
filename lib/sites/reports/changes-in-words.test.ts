import { expect, test } from "vitest";
import { changeSentence } from "@/lib/sites/reports/changes-in-words";
import { inLanguage } from "@/lib/texts/in-language";

const inGerman = (sentence: string) => inLanguage("de", () => changeSentence(sentence));

test("the sentences of analytics.changes are written in the reader's language, and a foreign name stays as it is", () => {
  expect(
    [
      "Visits from Google fell by 420 (−31%), which is 95% of the fall.",
      "Visits that began on /before fell from 1 to none, against the rise.",
    ].map(inGerman),
  ).toEqual([
    "Besuche von Google: um 420 (−31%) gefallen, das sind 95% des Rückgangs.",
    "Besuche mit Einstieg auf /before: von 1 auf keine gefallen, entgegen dem Anstieg.",
  ]);
  expect(
    inGerman(
      "Bounce rate of visits from the channel Direct rose from 20% to 40%, which is all of the rise of the bounce rate.",
    ),
  ).toBe("Absprungrate der Besuche über den Kanal Direct: von 20% auf 40% gestiegen, das ist der ganze Anstieg.");
  expect(inGerman("Visits with the UTM campaign {x} <b> rose from none to 3, while the total did not change.")).toBe(
    "Besuche mit UTM-Kampagne {x} <b>: von keinen auf 3 gestiegen, während die Summe gleich blieb.",
  );
  expect(changeSentence("Visits from Google fell by 420.")).toBe("Visits from Google fell by 420.");
  expect(inGerman("Something else happened.")).toBe("Something else happened.");
});
