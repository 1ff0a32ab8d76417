import fc from "fast-check";
import { expect, test } from "vitest";
import { changeBetween } from "@/lib/contract/changes";
import { formatMetric, formatMs, formatPercent } from "@/lib/contract/numbers";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

const of = (metric: Metric, now: number | null, before: number | null) => {
  const { label, unit } = METRICS[metric];
  return changeBetween({ label, isRate: unit === "fraction" }, now, before, (value) => formatMetric(metric, value));
};

test("a number that is shown as before has not changed", () => {
  expect(of("views_per_visit", 2.58, 2.62)).toBeNull();
  expect(of("visitors", 12_345, 12_311)).toBeNull();
  expect(of("bounce_rate", 0.42301, 0.42299)).toBeNull();
  expect(changeBetween({ label: "LCP p75", isRate: false }, 2031, 2034, formatMs)).toBeNull();
  fc.assert(
    fc.property(
      fc.constantFrom<Metric>("views_per_visit", "bounce_rate"),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (metric, value) => {
        const near = value + 1e-9;
        const change = of(metric, near, value);
        expect(change === null).toBe(
          formatMetric(metric, near) === formatMetric(metric, value) || (value === 0 && metric === "views_per_visit"),
        );
      },
    ),
  );
});

test("a rate changes by points, exactly those between the two shown rates", () => {
  expect(of("bounce_rate", 0.059, 0.07)).toEqual({ up: false, better: true, text: "1.1 pts" });
  expect(of("scroll_depth", 0.5004, 0.4906)).toEqual({ up: true, better: true, text: "0.9 pts" });
  expect(changeBetween({ label: "Conversion rate", isRate: true }, 0.02, 0, formatPercent)?.text).toBe("2 pts");
});

test("other numbers change by a percentage of the earlier one, and by a factor from eleven times on", () => {
  expect(of("visitors", 15, 10)).toEqual({ up: true, better: true, text: "50%" });
  expect(of("visit_duration", 30, 60)).toEqual({ up: false, better: false, text: "50%" });
  expect(of("visitors", 140, 10)?.text).toBe("×14");
  expect(of("pageviews", 1001, 1000)?.text).toBe("<1%");
  expect([of("visitors", 5, 0), of("visitors", 5, null), of("visitors", null, 5)]).toEqual([null, null, null]);
});

test("one number has one sense of good, wherever it stands", () => {
  const better = (label: string, isRate = false) => changeBetween({ label, isRate }, 2, 1, String)?.better;
  expect(["Bounce rate", "Exits", "No results", "Refined"].map((label) => better(label, true))).toEqual(
    Array(4).fill(false),
  );
  expect(["Refunds", "Drop-off", "LCP p75", "Errors for AI agents"].map((label) => better(label))).toEqual(
    Array(4).fill(false),
  );
  expect(["Visitors", "Revenue", "Orders", "Net"].map((label) => better(label))).toEqual(Array(4).fill(true));
});
