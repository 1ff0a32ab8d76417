import { expect, test } from "vitest";
import { formatMeasure } from "@/lib/contract/numbers";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";

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
