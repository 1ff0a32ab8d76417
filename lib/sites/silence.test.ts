import { expect, test } from "vitest";
import { Temporal } from "@/lib/platform/time";
import { lastDayIfSilent } from "@/lib/sites/silence";

const TODAY = Temporal.PlainDate.from("2025-03-31");

/** The same number of events on each day that lies so many days back. */
const on = (daysBack: number[], events: number) =>
  new Map(daysBack.toSorted((a, b) => b - a).map((back) => [`${TODAY.subtract({ days: back })}`, events]));
const back = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("a silence counts after a whole UTC day and for thirty, where the same weekday and the week had events", () => {
  const lastIf = (daysBack: number[], events = 10) => lastDayIfSilent(on(daysBack, events), TODAY);
  expect(lastIf(back(2, 20))).toBe("2025-03-29");
  expect(lastIf(back(31, 44))).toBe("2025-02-28");
  // Only today or yesterday is empty so far, or it ended long ago.
  for (const daysBack of [back(0, 20), back(1, 20), back(32, 44)]) expect(lastIf(daysBack)).toBeNull();
  // Too few events to miss, and none on the weekday of yesterday.
  expect(lastIf(back(2, 20), 2)).toBeNull();
  expect(lastIf([2, 3, 4, 5, 6, 7, 9, 10])).toBeNull();
  expect(lastIf([2, 8])).toBe("2025-03-29");
  expect(lastIf([])).toBeNull();
});
