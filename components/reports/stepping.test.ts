import fc from "fast-check";
import { expect, test } from "vitest";
import { type SteppedDays, shownDays, stepped } from "@/components/reports/stepping";
import { daysIn, plusDays } from "@/components/ui/calendar-days";
import { rangeOf } from "@/lib/analytics/calendar/period";
import type { Period } from "@/lib/contract/fields";
import { PERIODS } from "@/lib/contract/vocabulary";
import { Temporal } from "@/lib/platform/time";

const SINCE = "2016-01-01";
const day = fc.nat(2000).map((number) => plusDays("2020-01-01", number));
const periods = (Object.keys(PERIODS) as Period[]).filter((period) => period !== "custom");

const bounds = (today: string) => ({ since: SINCE, today });
const shown = (at: SteppedDays, today: string) => {
  const period = at.period ?? "custom";
  return { period, ...shownDays({ ...at, period }, bounds(today)) };
};
const named = (period: Period, today: string) => shown({ period, from: null, to: null }, today);
const custom = (from: string, to: string) => ({ period: "custom" as const, from, to });
const step = (at: ReturnType<typeof shown>, by: 1 | -1, today: string) => {
  const next = stepped(at, by, bounds(today));
  return next && shown(next, today);
};
const days = ({ from, to }: { from: string; to: string }) => ({ from, to });
/** A custom range of whole months steps by months. */
const isWholeMonths = ({ from, to }: { from: string; to: string }) =>
  from.endsWith("-01") && plusDays(to, 1).endsWith("-01");
const MONTHLY = ["month", "last_month", "6mo", "12mo", "year"];

/** Any range, custom or named, that ends today or earlier. */
const views = day.chain((today) =>
  fc.record({
    today: fc.constant(today),
    at: fc.oneof(
      fc.constantFrom(...periods).map((period) => named(period, today)),
      fc
        .tuple(fc.nat(400), fc.nat(400))
        .map(([back, length]) => custom(plusDays(today, -back - length), plusDays(today, -back))),
    ),
  }),
);

test("shownDays of a named period are the days that its report counts", () => {
  fc.assert(
    fc.property(
      day,
      fc.constantFrom(...periods),
      fc.constantFrom("UTC", "Africa/Cairo", "Pacific/Apia"),
      (today, period, zone) => {
        const noon = Temporal.PlainDate.from(today).toZonedDateTime({ timeZone: zone, plainTime: "12:00" });
        const counted = rangeOf({ period }, zone, new Date(noon.epochMilliseconds), Temporal.PlainDate.from(SINCE));
        expect(days(named(period, today))).toEqual({ from: `${counted.from}`, to: `${counted.to}` });
      },
    ),
  );
});

test("a step back and a step forward return to the same range", () => {
  fc.assert(
    fc.property(views, ({ at, today }) => {
      const before = step(at, -1, today);
      fc.pre(before !== null && at.period !== "24h");
      fc.pre(before !== null && (MONTHLY.includes(at.period) || isWholeMonths(before) === isWholeMonths(at)));
      expect(before && days(step(before, 1, today) ?? before)).toEqual(days(at));
    }),
    { numRuns: 1000 },
  );
});

test("a step forward and a step back return to the same range, unless the step was cut at today", () => {
  fc.assert(
    fc.property(views, ({ at, today }) => {
      const after = step(at, 1, today);
      fc.pre(after !== null && after.to < today && isWholeMonths(after) === isWholeMonths(at));
      expect(after && days(step(after, -1, today) ?? after)).toEqual(days(at));
    }),
    { numRuns: 1000 },
  );
});

test("no step goes beyond today or to a range entirely before the site's first day", () => {
  fc.assert(
    fc.property(views, fc.constantFrom<1 | -1>(1, -1), ({ at, today }, by) => {
      const next = step(at, by, today);
      fc.pre(next !== null);
      expect(next && next.to <= today && next.from <= next.to && next.to >= SINCE).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(stepped(named("7d", "2026-11-20"), 1, bounds("2026-11-20"))).toBeNull();
  expect(stepped(custom(SINCE, plusDays(SINCE, 6)), -1, bounds("2026-11-20"))).toBeNull();
});

test("no step is possible from years out of range", () => {
  for (const days of [custom("9999-12-01", "9999-12-31"), custom("0001-01-01", "2026-11-20")]) {
    expect([1 as const, -1 as const].map((by) => stepped(days, by, bounds("2026-11-20")))).toEqual([null, null]);
  }
});

test("the previous range has the same length and is adjacent", () => {
  fc.assert(
    fc.property(day, fc.nat(300), (to, length) => {
      const at = custom(plusDays(to, -length), to);
      const before = step(at, -1, "2030-01-01");
      fc.pre(!at.from.endsWith("-01") && before !== null);
      expect(before && plusDays(before.to, 1)).toBe(at.from);
      expect(before && daysIn(before)).toBe(length + 1);
    }),
  );
});

test("months and years step by calendar months and years", () => {
  const today = "2026-11-20";
  expect(stepped(named("month", today), -1, bounds(today))).toEqual({
    period: null,
    from: "2026-10-01",
    to: "2026-10-31",
  });
  expect(stepped(custom("2026-10-01", "2026-10-31"), -1, bounds(today))).toMatchObject({
    from: "2026-09-01",
    to: "2026-09-30",
  });
  expect(stepped(custom("2026-10-01", "2026-10-31"), 1, bounds(today))).toMatchObject({ period: "month" });
  expect(stepped(custom("2024-02-01", "2024-02-29"), 1, bounds(today))).toMatchObject({
    from: "2024-03-01",
    to: "2024-03-31",
  });
  expect(stepped(named("year", today), -1, bounds(today))).toMatchObject({ from: "2025-01-01", to: "2025-12-31" });
  expect(stepped(named("12mo", today), -1, bounds(today))).toMatchObject({ from: "2024-12-01", to: "2025-11-30" });
  expect(stepped(custom("2025-01-01", "2025-12-31"), 1, bounds(today))).toMatchObject({ period: "year" });
});

test("a range that ends today becomes the named period again", () => {
  const today = "2026-03-29";
  for (const period of ["today", "7d", "28d", "30d", "90d"] as const) {
    const before = step(named(period, today), -1, today);
    expect(before && stepped(before, 1, bounds(today))).toEqual({ period, from: null, to: null });
  }
  expect(stepped(named("yesterday", today), 1, bounds(today))).toMatchObject({ period: "today" });
  expect(stepped(named("24h", today), -1, bounds(today))).toMatchObject({ from: "2026-03-28", to: "2026-03-28" });
  expect(stepped(named("all", today), -1, bounds(today))).toBeNull();
});
