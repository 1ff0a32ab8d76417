import { expect, test } from "vitest";
import { totalSentence, valueSentence } from "@/lib/analytics/reports/change-sentences";
import { inLanguage } from "@/lib/texts/in-language";

type Told = Parameters<typeof totalSentence>[0];
type Value = Parameters<typeof valueSentence>[1];

const visits: Told = { metric: "visits", currency: "EUR" };
const bounces: Told = { metric: "bounce_rate", currency: "EUR" };
const google: Value = {
  ...{ dimension: "source", value: "Google", status: "both", before: 420, after: 90, effect: -330, contribution: 0.78 },
  ratio_parts: null,
};

test("a change of a total is said with what it was, what it is, and by how much it moved", () => {
  expect(totalSentence(visits, { before: 1240, after: 820 })).toBe("Visits fell from 1,240 to 820 (−34%).");
  expect(totalSentence(visits, { before: 800, after: 9000 })).toBe("Visits rose from 800 to 9,000 (×11).");
  expect(totalSentence(visits, { before: 5, after: 5 })).toBe("Visits did not change: 5.");
  expect(totalSentence(visits, { before: 0, after: 5 })).toBe("Visits rose from 0 to 5.");
  expect(totalSentence(bounces, { before: null, after: 0.5 })).toBe(
    "Bounce rate cannot be compared: one of the ranges has no visits.",
  );
});

test("a change of a value is said with its part of the whole change", () => {
  const says = (one: Partial<Value>, told = visits, total = -420) => valueSentence(told, { ...google, ...one }, total);
  expect(says({})).toBe("Visits from Google fell by 330 (−79%), which is 78% of the fall.");
  expect(says({ status: "new", before: 0, after: 12, effect: 12 })).toBe(
    "Visits from Google rose from none to 12, against the fall.",
  );
  expect(says({ status: "lost", after: 0, contribution: 1 })).toBe(
    "Visits from Google fell from 420 to none, which is all of the fall.",
  );
  expect(says({ contribution: 1.31 })).toMatch(/, which is more than the whole fall \(131%\)\.$/);
  expect(says({ contribution: null })).toMatch(/, while the total did not change\.$/);
  const phrases = [
    [{ value: null }, "without a known source"],
    [{ dimension: "page", value: "/caf%C3%A9" }, "on /café"],
    [{ dimension: "country", value: "FR" }, "from France"],
    [{ dimension: "channel", value: "Email" }, "from the channel Email"],
    [{ dimension: "entry_page", value: "/" }, "that began on /"],
    [{ dimension: "utm_campaign", value: "{x} <b>" }, "with the UTM campaign {x} <b>"],
    [{ dimension: "language", value: null }, "without a language"],
    [{ dimension: "os", value: "x".repeat(90) }, `on ${"x".repeat(80)}…`],
  ] as const;
  for (const [one, phrase] of phrases) expect(says(one)).toMatch(`Visits ${phrase} fell by 330 (−79%)`);
});

test("a change of a rate is said by the share of visits where that explains it, else by the rate", () => {
  const ratio = { before: 0.2, after: 0.4, effect: 0.1, contribution: 1 };
  const mixed = { share_before: 0.2, share_after: 0.5, mix: 0.3, within: 0.1 };
  const within = { share_before: 0.5, share_after: 0.4, mix: 0.01, within: 0.2 };
  const says = (ratio_parts: Value["ratio_parts"]) => valueSentence(bounces, { ...google, ...ratio, ratio_parts }, 0.1);
  expect(says(mixed)).toBe(
    "Visits from Google rose from 20% to 50% of all visits, which is all of the rise of the bounce rate.",
  );
  expect(says(within)).toBe(
    "Bounce rate of visits from Google rose from 20% to 40%, which is all of the rise of the bounce rate.",
  );
});

test("a change is said in the reader's language, with the numbers and names of that language", () => {
  const mobile: Value = { ...google, dimension: "device", value: "Mobile" };
  inLanguage("de", () => {
    expect(totalSentence(visits, { before: 1240, after: 820 })).toContain("von 1.240 auf 820 gesunken (−34");
    expect(valueSentence(visits, mobile, -420)).toMatch(
      /mit dem Gerät Smartphone um 330 gesunken \(−79.%\), das sind 78.%/,
    );
  });
});
