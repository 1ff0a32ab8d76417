import fc from "fast-check";
import { expect, test } from "vitest";
import { daysIn, lastOfMonth, plusDays, plusMonths } from "@/components/ui/calendar-days";
import { Temporal } from "@/lib/platform/time";

const day = fc.nat(60_000).map((number) => plusDays("1970-01-01", number));
const of = (text: string) => Temporal.PlainDate.from(text);

test("day and month arithmetic agrees with Temporal", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -500, max: 500 }), (start, by) => {
      expect(plusDays(start, by)).toBe(`${of(start).add({ days: by })}`);
      expect(plusMonths(start, by)).toBe(`${of(start).add({ months: by })}`);
      expect(lastOfMonth(start)).toBe(`${of(start).with({ day: of(start).daysInMonth })}`);
      expect(daysIn({ from: start, to: plusDays(start, Math.abs(by)) })).toBe(Math.abs(by) + 1);
    }),
  );
});
