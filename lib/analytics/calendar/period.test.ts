import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bucketLabel,
  bucketStarts,
  dateOfNumber,
  dayNumbers,
  dayStarts,
  labelBefore,
} from "@/lib/analytics/calendar/buckets";
import { comparedDays, comparisonOf, days, rangeOf } from "@/lib/analytics/calendar/period";
import type { Period } from "@/lib/contract/fields";
import { PERIODS } from "@/lib/contract/vocabulary";
import { Refusal } from "@/lib/platform/errors";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";

const day = (text: string) => Temporal.PlainDate.from(text);
const ranged = (period: Period, timezone: string, now: string) =>
  rangeOf({ period }, timezone, new Date(now), day("2020-01-01"));
const text = (range: { from: Temporal.PlainDate; to: Temporal.PlainDate }) => `${range.from}..${range.to}`;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The wall clock by `Intl`, which knows nothing of our arithmetic. */
function wallClock(at: Date, timeZone: string) {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, hourCycle: "h23", dateStyle: "short", timeStyle: "short" });
  clocks.set(timeZone, clock);
  const [date = "", time = ""] = clock.format(at).split(" ");
  return { date, minute: time.slice(3) };
}

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];

test("in every IANA zone the days of a year begin where Intl's date changes, and have its dates", () => {
  for (const zone of ZONES) {
    const range = days(day("2011-10-01"), day("2012-09-30"), zone, new Date(0));
    const starts = dayStarts(range);
    const dates = dayNumbers(starts, zone).map(dateOfNumber);
    expect(starts.map((start) => wallClock(start, zone).date)).toEqual(dates);
    const before = starts.map((start) => wallClock(new Date(start.getTime() - 1), zone).date);
    expect(before.slice(1)).toEqual(dates.slice(0, -1));
    expect(starts[0]).toEqual(range.start);
    expect(starts).toHaveLength(dates.includes("2011-12-30") ? 366 : 365);
  }
});

test("in every zone, hours begin on the wall clock's full hour and leave no gap", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 3650 }), (zone, offset) => {
      const date = day("2018-01-01").add({ days: offset });
      const range = days(date, date, zone, new Date(0));
      const starts = bucketStarts(range, "hour");
      expect(starts[0]).toEqual(range.start);
      for (const [index, start] of starts.slice(1).entries()) {
        const length = start.getTime() - (starts[index] as Date).getTime();
        expect([15, 30, 45, 60, 90, 120]).toContain(length / 60_000);
        const clock = wallClock(start, zone);
        // After a jump of half an hour the first moment of an hour is not its minute 0.
        if (length === 3_600_000 && wallClock(starts[index] as Date, zone).minute === "00") {
          expect(clock.minute, `${zone} ${start.toISOString()}`).toBe("00");
        }
        expect(clock.date).toBe(date.toString());
      }
    }),
    { numRuns: 400 },
  );
});

test("the buckets of any range cover it from its start to its end, each moment once", () => {
  const interval = fc.constantFrom("day" as const, "week" as const, "month" as const);
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.nat(3000),
      fc.integer({ min: 0, max: 400 }),
      interval,
      (zone, begin, length, width) => {
        const from = day("2017-01-01").add({ days: begin });
        const range = days(from, from.add({ days: length }), zone, new Date(0));
        const starts = bucketStarts(range, width).map((start) => start.getTime());
        expect(starts[0]).toBe(range.start.getTime());
        expect(starts.at(-1)).toBeLessThan(range.end.getTime());
        for (let i = 1; i < starts.length; i++) expect(starts[i]).toBeGreaterThan(starts[i - 1] as number);
        for (const start of starts.slice(1)) {
          const local = localDay(new Date(start), zone);
          expect(startOfDay(local, zone).getTime()).toBe(start);
          if (width === "week") expect(local.dayOfWeek).toBe(1);
          if (width === "month") expect(local.day).toBe(1);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a day of 25 hours has 25 hours, two of them with the same label", () => {
  const range = days(day("2025-10-26"), day("2025-10-26"), "Europe/Berlin", new Date(0));
  const labels = bucketStarts(range, "hour").map((start) => bucketLabel(start, "Europe/Berlin", "hour"));
  expect(labels).toHaveLength(25);
  expect(labels.filter((label) => label === "2025-10-26T02:00")).toHaveLength(2);
});

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

test("the previous period is as many days directly before the range, up to the same local time", () => {
  for (const period of Object.keys(PERIODS) as Period[]) {
    if (period === "custom") continue;
    const now = new Date("2025-06-11T10:00:00Z");
    const range = ranged(period, "Europe/Berlin", now.toISOString());
    const before = comparisonOf(range, "previous_period", now);
    if (!before) throw new Error("no comparison");
    if (period === "24h") {
      expect(before.start.toISOString()).toBe("2025-06-09T11:00:00.000Z");
      expect(before.end.toISOString()).toBe("2025-06-10T10:00:00.000Z");
      continue;
    }
    expect(before.to.add({ days: 1 }).equals(range.from), period).toBe(true);
    expect(before.from.until(before.to).days, period).toBe(range.from.until(range.to).days);
    const end = range.partial
      ? startOfDay(before.to, "Europe/Berlin").getTime() + 12 * 3_600_000
      : range.start.getTime();
    expect(before.end.getTime(), period).toBe(end);
  }
});

test("today so far is compared with yesterday up to the same hour, also when the clock was moved in between", () => {
  const now = new Date("2025-03-30T10:00:00Z"); // noon in Berlin, the day summer time begins
  const before = comparisonOf(ranged("today", "Europe/Berlin", now.toISOString()), "previous_period", now);
  expect(before?.start.toISOString()).toBe("2025-03-28T23:00:00.000Z");
  expect(before?.end.toISOString()).toBe("2025-03-29T11:00:00.000Z");
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

test("days of one's own that are those of the previous period are compared exactly like it", () => {
  const period = fc.constantFrom(...(Object.keys(PERIODS) as Period[]).filter((one) => one !== "custom"));
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), period, fc.nat(5 * 365 * 24), (zone, named, hours) => {
      const now = new Date(Date.parse("2021-01-01T00:00:00Z") + hours * 3_600_000);
      const range = ranged(named, zone, now.toISOString());
      const previous = comparisonOf(range, "previous_period", now);
      if (!previous) throw new Error("no comparison");
      const to = previous.to;
      const own = comparisonOf(range, { from: to.subtract({ days: range.days - 1 }), to }, now);
      expect(own && { ...own, back: null }).toEqual({ ...previous, back: null });
    }),
    { numRuns: 200 },
  );
});

test("a comparison of more or fewer days than the range is counted whole", () => {
  const now = new Date("2025-03-30T10:00:00Z");
  const asked = { from: day("2025-03-01"), to: day("2025-03-31") };
  const before = comparisonOf(ranged("7d", "Europe/Berlin", now.toISOString()), asked, now);
  expect(before?.start.toISOString()).toBe("2025-02-28T23:00:00.000Z");
  expect(before?.end.toISOString()).toBe("2025-03-31T22:00:00.000Z");
  expect(before?.back).toBeUndefined();
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
