import fc from "fast-check";
import { expect, test } from "vitest";
import { localeOf } from "@/lib/platform/locale";
import { requestLocales } from "@/lib/platform/request-locale";
import { axisTicks, bucketAt, placeOf, spanOf } from "./scale";
import {
  type Bucket,
  bucketSentence,
  drawnOf,
  formatTick,
  formatValue,
  type Kind,
  openBucket,
  type Series,
  type Unit,
} from "./series";

const DAYS = ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"];
const days = (partial: number | null): Bucket[] =>
  DAYS.map((label, index) => ({ start: `${label}T00:00:00Z`, label, partial: index === partial }));
const visitors: Series = { key: "visitors", label: "Visitors", unit: "count", values: [3, 0, 5, 0] };
const before: Series = {
  key: "before",
  label: "Before",
  unit: "count",
  tone: "comparison",
  values: [2, null, 1, 4],
  labels: ["2026-11-15", null, "2026-11-17", "2026-11-18"],
};

test("future buckets are unknown, and only the current bucket is in progress", () => {
  const [drawn, compared] = drawnOf([visitors, before], days(2), true);
  expect(drawn?.values).toEqual([3, 0, 5, null]);
  expect(compared?.values).toEqual([2, null, 1, 4]);
  expect(openBucket(days(2), drawnOf([visitors], days(2), true))).toBe(2);
  // A range in the past that starts in the middle of its first bucket.
  expect(drawnOf([visitors], days(0), false)[0]?.values).toEqual(visitors.values);
  expect(openBucket(days(0), [visitors], false)).toBeNull();
  expect(openBucket(days(3), [visitors], false)).toBeNull();
});

test("each series gets its own colour, a comparison is muted", () => {
  const colours = drawnOf([visitors, before, { ...visitors, key: "visits" }], days(null)).map(({ colour }) => colour);
  expect(colours).toEqual(["var(--chart-1)", "var(--muted)", "var(--chart-2)"]);
});

test("a bucket's sentence contains its values, the comparison's date and the annotations", () => {
  const content = {
    buckets: days(2),
    series: drawnOf([visitors, before], days(2), true),
    markers: [{ id: "1", at: 2, text: "Deploy: 2.0" }],
    interval: "day" as const,
    open: 2,
  };
  expect(bucketSentence(2, content)).toBe("Sat, Nov 21, 2026: 5, still counting; Tue, Nov 17, 2026: 1; Deploy: 2.0");
  expect(bucketSentence(1, content)).toBe("Fri, Nov 20, 2026: 0");
});

/** Millionths at the finest: nothing that is counted is as small as the smallest number of JavaScript. */
const number = fc.double({ min: -1e7, max: 1e7, noNaN: true }).map((one) => Number(one.toFixed(6)));
const value = fc.option(number, { nil: null });
const units = fc.constantFrom<Unit>("count", "ratio", "seconds", "milliseconds", "money");

test("values are written as in tables, and those of axes shortly, in the locale of the reader", () => {
  const written = () => [
    ...[0, 800, 9.5, 12_000].map((value) => formatValue({ unit: "money", currency: "EUR" }, value)),
    ...[250, 3000, 2500].map((value) => formatValue({ unit: "milliseconds" }, value)),
    ...[0.025, 0.5].map((value) => formatValue({ unit: "fraction" }, value)),
    formatValue({ unit: "ratio" }, 0.025),
  ];
  const english = ["0.00 EUR", "800.00 EUR", "9.50 EUR", "12,000.00 EUR", "250 ms", "3.00 s", "2.50 s", "2.5%", "50%"];
  expect(written().map((text) => text.replaceAll("\u00a0", " "))).toEqual([...english, "0.025"]);
  expect([2000, 800, 9.5, 0].map((value) => formatTick({ unit: "money", currency: "EUR" }, value))).toEqual([
    ...["2,000\u00a0EUR", "800\u00a0EUR", "9.5\u00a0EUR", "0\u00a0EUR"],
  ]);
  expect(formatTick({ unit: "money", currency: "JPY" }, 12_000)).toBe("12K\u00a0JPY");
  expect(formatTick({ unit: "milliseconds" }, 2500)).toBe("2.5 s");
  requestLocales.run(localeOf("de-DE"), () =>
    expect(written().map((text) => text.replaceAll("\u00a0", " "))).toEqual([
      "0,00 EUR",
      "800,00 EUR",
      "9,50 EUR",
      "12.000,00 EUR",
      "250 ms",
      "3,00 s",
      "2,50 s",
      "2,5 %",
      "50 %",
      "0,025",
    ]),
  );
});

test("an axis covers every value, stacks included, with evenly spaced ticks from 0 or below", () => {
  fc.assert(
    fc.property(fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { minLength: 1 }), units, (all, unit) => {
      const series = all.map((values, index) => ({ ...visitors, key: `${index}`, unit, values }));
      const ticks = axisTicks(series, "line");
      const [low = 0, high = 0] = [ticks[0], ticks.at(-1)];
      for (const one of all.flat()) {
        expect(one ?? 0).toBeGreaterThanOrEqual(low);
        expect(one ?? 0).toBeLessThanOrEqual(high);
      }
      expect(ticks).toContain(0);
      expect(ticks.length).toBeLessThanOrEqual(10);
    }),
  );
});

test("the axis of a stacked chart covers the sum of its series", () => {
  const ticks = axisTicks([visitors, { ...visitors, key: "visits", values: [7, 9, 8, 1] }], "stacked");
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(13);
});

const kinds = fc.constantFrom<Kind>("line", "area", "stacked", "bars");

test("bucketAt inverts placeOf, and the span of a bucket contains its position", () => {
  fc.assert(
    fc.property(kinds, fc.integer({ min: 1, max: 1500 }), fc.nat(), (kind, buckets, any) => {
      const index = any % buckets;
      const place = placeOf(kind, index, buckets);
      expect(bucketAt(kind, place, buckets)).toBe(index);
      const { from, to } = spanOf(kind, [index, index], buckets);
      expect(from).toBeLessThanOrEqual(place);
      expect(to).toBeGreaterThanOrEqual(place);
    }),
  );
});
