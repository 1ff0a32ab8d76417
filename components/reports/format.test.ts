import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCount, formatExactly, formatMetric, formatPercent } from "@/components/reports/format";

const intl = (options: Intl.NumberFormatOptions) => (value: number) =>
  new Intl.NumberFormat("en", options).format(value);

test("numbers are written as Intl writes them in English", () => {
  const counts = fc.oneof(fc.nat({ max: 20_000 }), fc.nat(), fc.integer({ min: 0, max: 999_999_999_999 }));
  const whole = intl({});
  const short = intl({ notation: "compact", maximumFractionDigits: 1 });
  const oneDigit = intl({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percent = intl({ style: "percent" });
  fc.assert(
    fc.property(counts, (count) => {
      expect(formatExactly(count)).toBe(whole(count));
      expect(formatCount(count)).toBe(count < 10_000 ? whole(count) : short(count));
      // Sevenths are never half-way between two, where floats are rounded one way or the other.
      const part = count / 7;
      expect(formatPercent(part)).toBe(percent(part));
      expect(formatMetric("views_per_visit", part)).toBe(oneDigit(part));
    }),
    { numRuns: 50, examples: [[999_949], [999_950], [9_999], [10_000], [12_350], [999_950_000]] },
  );
});
