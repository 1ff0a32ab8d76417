import fc from "fast-check";
import { expect, test } from "vitest";
import { daysIn, lastOfMonth, placeInWeek, plusDays, plusMonths, weeksOf } from "@/components/ui/calendar-days";
import { Temporal } from "@/lib/platform/time";

const day = fc.nat(60_000).map((number) => plusDays("1970-01-01", number));
const of = (text: string) => Temporal.PlainDate.from(text);

test("days and months are those of Temporal's calendar", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -500, max: 500 }), (at, by) => {
      expect(plusDays(at, by)).toBe(`${of(at).add({ days: by })}`);
      expect(plusMonths(at, by)).toBe(`${of(at).add({ months: by })}`);
      expect(lastOfMonth(at)).toBe(`${of(at).with({ day: of(at).daysInMonth })}`);
      expect(daysIn({ from: at, to: plusDays(at, Math.abs(by)) })).toBe(Math.abs(by) + 1);
    }),
  );
});

test("a month's weeks hold each of its days once, and begin on the first day of the week", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 7 }), (at, first) => {
      const month = `${at.slice(0, 8)}01`;
      const weeks = weeksOf(month, first);
      const days = weeks.flat().filter((one) => one.startsWith(month.slice(0, 7)));
      expect(days).toHaveLength(of(month).daysInMonth);
      expect(new Set(weeks.flat()).size).toBe(42);
      for (const [begin = ""] of weeks) expect(of(begin).dayOfWeek).toBe(first);
      expect(weeks.flat()[placeInWeek(month, first)]).toBe(month);
    }),
  );
});
