import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bucketName,
  bucketTick,
  formatDate,
  formatHour,
  formatMonth,
  formatRange,
  formatWeekday,
} from "@/components/ui/format";
import { formatRelative } from "@/components/ui/relative-time";
import {
  formatCount,
  formatExactly,
  formatMetric,
  formatMoney,
  formatMs,
  formatPercent,
  formatShare,
} from "@/lib/contract/numbers";
import { DAY_MS } from "@/lib/platform/durations";
import { localeOf } from "@/lib/platform/locale";
import { requestLocales } from "@/lib/platform/request-locale";

const inGerman = (work: () => void) => requestLocales.run(localeOf("de-DE"), work);

test("counts up to 9,999 keep all digits, larger counts are shortened", () => {
  expect([0, 9_999, 10_000, 12_350, 999_950_000].map(formatCount)).toEqual(["0", "9,999", "10K", "12.4K", "1B"]);
  fc.assert(fc.property(fc.nat({ max: 9_999 }), (count) => formatCount(count) === formatExactly(count)));
});

test("an unknown value is a dash, never 0", () => {
  expect([formatMetric("bounce_rate", null), formatMetric("bounce_rate", 0)]).toEqual(["–", "0%"]);
  expect([formatShare(0.0004), formatShare(0.004), formatShare(0), formatShare(0.42)]).toEqual([
    ...["<0.1%", "0.4%", "0%", "42%"],
  ]);
});

test("numbers, money and dates follow the reader's locale", () => {
  inGerman(() => {
    expect(formatExactly(1_234_567)).toBe("1.234.567");
    expect(formatPercent(0.125)).toBe("12,5\u00a0%");
    expect(formatMetric("views_per_visit", 2.55)).toMatch(/^2,[56]$/);
    expect(formatMoney({ amount: "-12345678901234567.89", currency: "EUR" })).toBe(
      "−12.345.678.901.234.567,89\u00a0EUR",
    );
    expect(formatMs(2510)).toBe("2,51 s");
    expect(formatDate("2026-11-20")).toBe("20. Nov. 2026");
    expect(formatMonth("2026-03-01")).toBe("März 2026");
    expect(bucketTick("2026-11-20T14:00", "hour", false)).toBe("14:00");
    expect(bucketName("2026-11-16", "week")).toBe("Woche vom 16. Nov. 2026");
    expect([formatWeekday(1), formatWeekday(7)]).toEqual(["Mo", "So"]);
  });
  expect(formatDate("2026-11-20")).toBe("Nov 20, 2026");
  expect(formatRange("2026-11-14", "2026-11-20")).toBe("Nov 14 – 20, 2026");
  expect([formatHour(0), formatHour(14)]).toEqual(["12 AM", "2 PM"]);
  expect([formatWeekday(1), formatWeekday(7)]).toEqual(["Mon", "Sun"]);
});

test("a bucket label names its day regardless of the machine's timezone", () => {
  const day = fc.nat(40_000).map((number) => new Date(number * DAY_MS).toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, (label) => {
      expect(bucketName(label, "day")).toContain(`${Number(label.slice(8))}, ${label.slice(0, 4)}`);
    }),
  );
});

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, DAY_MS];

test("relative times round down to the largest unit", () => {
  expect([-500, -59 * SECOND, -MINUTE, -119 * MINUTE, -HOUR * 25].map(formatRelative)).toEqual([
    "just now",
    "59 seconds ago",
    "1 minute ago",
    "1 hour ago",
    "1 day ago",
  ]);
  // The load time of the page must not turn 1 day into 23 hours.
  expect([30 * SECOND, DAY - 5 * SECOND, 3 * DAY].map(formatRelative)).toEqual([
    "in less than a minute",
    "in 1 day",
    "in 3 days",
  ]);
});
