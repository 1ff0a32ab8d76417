import { expect, test } from "vitest";
import { bucketStarts, labelBefore } from "@/lib/analytics/calendar/buckets";
import { comparedDays, comparisonOf, days, rangeOf } from "@/lib/analytics/calendar/period";
import type { Period } from "@/lib/contract/fields";
import { Refusal } from "@/lib/platform/errors";
import { Temporal } from "@/lib/platform/time";

const day = (text: string) => Temporal.PlainDate.from(text);
const ranged = (period: Period, timezone: string, now: string) =>
  rangeOf({ period }, timezone, new Date(now), day("2020-01-01"));
const text = (range: { from: Temporal.PlainDate; to: Temporal.PlainDate }) => `${range.from}..${range.to}`;

test.each([
  ["today", "2025-06-11..2025-06-11"],
  ["yesterday", "2025-06-10..2025-06-10"],
  ["7d", "2025-06-05..2025-06-11"],
  ["28d", "2025-05-15..2025-06-11"],
  ["30d", "2025-05-13..2025-06-11"],
  ["90d", "2025-03-14..2025-06-11"],
  ["6mo", "2025-01-01..2025-06-11"],
  ["12mo", "2024-07-01..2025-06-11"],
  ["month", "2025-06-01..2025-06-11"],
  ["last_month", "2025-05-01..2025-05-31"],
  ["year", "2025-01-01..2025-06-11"],
  ["all", "2020-01-01..2025-06-11"],
] as const)("%s means %s", (period, expected) => {
  const range = ranged(period, "Asia/Tokyo", "2025-06-10T16:00:00Z");
  expect(text(range)).toBe(expected);
  expect(range.partial).toBe(!["yesterday", "last_month"].includes(period));
});

test("24h is the current hour and the 23 before it", () => {
  const range = ranged("24h", "Asia/Kolkata", "2025-06-10T16:10:00Z");
  expect(range.start.toISOString()).toBe("2025-06-09T16:30:00.000Z");
  expect(range.end.toISOString()).toBe("2025-06-10T16:30:00.000Z");
  expect(bucketStarts(range, "hour")).toHaveLength(24);
});

test("from and to win over the period; an impossible range is refused by name", () => {
  const query = { period: "7d" as const, from: "2025-01-01", to: "2025-01-31" };
  const of = (more: object) => () => rangeOf({ ...query, ...more }, "UTC", new Date("2025-06-10"), day("2020-01-01"));
  expect(text(of({})())).toBe("2025-01-01..2025-01-31");
  for (const from of ["2025-02-01", null, "1900-01-01", "0001-01-01"]) expect(of({ from })).toThrow(Refusal);
  expect(of({ to: "2101-01-01" })).toThrow(Refusal);
});

test("a comparison's days begin and end where days do, also where midnight itself was skipped", () => {
  // In Cairo the clocks went forward at midnight on 24 April 2026: the day began at 1:00.
  const whole = (date: string) => days(day(date), day(date), "Africa/Cairo", new Date(0));
  const before = (date: string) => comparisonOf(whole(date), "previous_period", new Date(0));
  expect(before("2026-04-24")?.start).toEqual(whole("2026-04-23").start);
  expect(before("2026-04-24")?.end).toEqual(whole("2026-04-24").start);
  expect(before("2026-04-23")?.end).toEqual(whole("2026-04-23").start);
});

test("a label of the comparison is the same time of day or date, so much earlier", () => {
  expect(labelBefore("2026-03-29T09:00", { days: 1 })).toBe("2026-03-28T09:00");
  expect(labelBefore("2026-11-20", { days: 28 })).toBe("2026-10-23");
});

test("a year ago is the same dates, and 29 February becomes the 28th", () => {
  const now = new Date("2024-02-29T12:00:00Z");
  const before = comparisonOf(ranged("today", "UTC", now.toISOString()), "year_over_year", now);
  expect(before && text(before)).toBe("2023-02-28..2023-02-28");
});

test("days to compare with are refused where one is missing, they run backwards or nothing is to be compared", () => {
  const faultOf = (asked: Parameters<typeof comparedDays>[0]) => {
    try {
      comparedDays(asked);
      return null;
    } catch (error) {
      return (error as Refusal).details?.issues;
    }
  };
  const [compare_from, compare_to] = ["2025-01-01", "2025-01-31"];
  expect(faultOf({ compare_from, compare_to, compare: "year_over_year" })).toBeNull();
  expect(faultOf({})).toBeNull();
  expect(faultOf({ compare_from })).toMatchObject([{ path: "compare_to" }]);
  expect(faultOf({ compare_to })).toMatchObject([{ path: "compare_from" }]);
  expect(faultOf({ compare_from: compare_to, compare_to: compare_from })).toMatchObject([{ path: "compare_from" }]);
  expect(faultOf({ compare_from, compare_to, compare: "none" })).toMatchObject([{ path: "compare" }]);
  expect(faultOf({ compare_from: "2001-01-01", compare_to })).toMatchObject([{ path: "compare_from" }]);
});
