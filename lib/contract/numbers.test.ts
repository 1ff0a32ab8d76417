import { expect, test } from "vitest";
import { formatDuration, formatMeasure, formatSeconds, numberInWords } from "@/lib/contract/numbers";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import { inLanguage } from "@/lib/texts/in-language";

test("every metric has a short form, money with its currency, and what is unknown is never 0", () => {
  const names = Object.keys(MEASURES) as Measure[];
  const shown = (value: number | null) =>
    Object.fromEntries(names.map((name) => [name, formatMeasure(name, value, "EUR")]));
  expect(shown(12_345.5)).toMatchObject({
    visitors: "12.3K",
    conversions: "12.3K",
    orders: "12.3K",
    revenue: "12.3K\u00a0EUR",
    average_order_value: "12.3K\u00a0EUR",
  });
  expect(shown(0.25)).toMatchObject({ conversion_rate: "25%", bounce_rate: "25%", revenue: "0.25\u00a0EUR" });
  expect(new Set(Object.values(shown(null)))).toEqual(new Set(["–"]));
});

test("durations have the units of the reader's language", () => {
  const shown = () => [31.2, 151, 11_100].map(formatSeconds);
  expect(shown()).toEqual(["31s", "2m 31s", "3h 5m"]);
  for (const language of ["de", "es"])
    expect(inLanguage(language, shown)).toEqual(["31\u00a0s", "2\u00a0min 31\u00a0s", "3\u00a0h 5\u00a0min"]);
  expect(inLanguage("de", () => [850, 2_510, 90_000].map(formatDuration))).toEqual([
    ...["850 ms", "2,51 s", "1\u00a0min 30\u00a0s"],
  ]);
});

test("numbers of stored English sentences are written as the reader writes them", () => {
  const english = ["1,234", "2.6", "12.5%", "−1,234.50\u00a0EUR", "2m 31s", "3h 5m", "31s", "10 seconds", "–"];
  expect(inLanguage("de", () => english.map(numberInWords))).toEqual([
    ...["1.234", "2,6", "12,5\u00a0%", "−1.234,50\u00a0EUR"],
    ...["2\u00a0min 31\u00a0s", "3\u00a0h 5\u00a0min", "31\u00a0s", "10 seconds", "–"],
  ]);
});
