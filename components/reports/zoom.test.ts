import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/platform/durations";
import { daysOfBuckets, rangeIn, unzoomed } from "./zoom";

const year = { from: "2026-01-15", to: "2026-11-25" };

test("the days of a bucket are those of its hour, day, week or month within the report's range", () => {
  const days = (label: string, interval: "hour" | "day" | "week" | "month") =>
    Object.values(daysOfBuckets(label, label, interval, year));
  expect(days("2026-03-29T02:00", "hour")).toEqual(["2026-03-29", "2026-03-29"]);
  expect(days("2026-02-28", "day")).toEqual(["2026-02-28", "2026-02-28"]);
  expect(days("2026-02-23", "week")).toEqual(["2026-02-23", "2026-03-01"]);
  expect(days("2026-02-01", "month")).toEqual(["2026-02-01", "2026-02-28"]);
  expect(days("2026-01-01", "month")).toEqual(["2026-01-15", "2026-01-31"]);
  expect(days("2026-11-01", "month")).toEqual(["2026-11-01", "2026-11-25"]);
});

const day = (number: number) => new Date(Date.UTC(2024, 0, 1) + number * DAY_MS).toISOString().slice(0, 10);

test("the days of several buckets start with the first bucket and end with the last", () => {
  const interval = fc.constantFrom("day" as const, "week" as const, "month" as const);
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(300), interval, (first, more, interval) => {
      const range = { from: "2000-01-01", to: "2100-01-01" };
      const [a, b] = [day(first), day(first + more)];
      expect(daysOfBuckets(a, b, interval, range)).toEqual({
        from: daysOfBuckets(a, a, interval, range).from,
        to: daysOfBuckets(b, b, interval, range).to,
      });
    }),
  );
});

test("zooming out shows exactly the range and the interval of before, and touches nothing else", () => {
  const ranges = ["", "period=7d", "period=12mo&interval=week", "from=2026-01-01&to=2026-02-01&interval=day"];
  for (const range of ranges) {
    const before = new URLSearchParams(`metric=visits&${range}&traffic=all`);
    const patch = unzoomed(new URLSearchParams({ from: "2026-01-03", to: "2026-01-04", zoomed: rangeIn(before) }));
    const next = new URLSearchParams(
      Object.entries(patch ?? {}).flatMap(([key, value]) => (value ? [[key, value]] : [])),
    );
    expect(`${next}`, range).toBe(range);
    expect(Object.keys(patch ?? {}).sort()).toEqual(["from", "interval", "period", "to", "zoomed"]);
  }
  expect(unzoomed(new URLSearchParams("from=2026-01-03"))).toBeNull();
});

test("the way back from a zoom changes only the range, whatever a link says", () => {
  expect(unzoomed(new URLSearchParams({ zoomed: "filters=x&traffic=all&period=7d&zoomed=y" }))).toEqual({
    ...{ period: "7d", from: null, to: null, interval: null, zoomed: null },
  });
});
