import { expect, test } from "vitest";
import { ArrivalClock, isoTimestamp, millisecondOf } from "@/lib/ingest/store/arrival-time";

const START = Date.parse("2026-01-01T00:00:00.500Z");

test("timestamps increase strictly, also when more than a thousand events arrive in one millisecond", () => {
  const clock = new ArrivalClock();
  const now = new Date(START);
  const reserved = [100, 1, 950, 100].map((count) => clock.reserveTimestamps(now, count) - START * 1000);
  expect(reserved).toEqual([0, 100, 101, 1051]);
  // The next millisecond starts within the timestamps reserved before it.
  expect(clock.reserveTimestamps(new Date(START + 1), 1) - START * 1000).toBe(1151);
  expect(clock.reserveTimestamps(new Date(START + 2), 1) - START * 1000).toBe(2000);
});

test("a clock that is set back stands still for up to a minute; a larger correction is followed", () => {
  const clock = new ArrivalClock();
  const read = [0, 5, -1, -59_000, 6, -60_000].map((change) => clock.arrivalTime(START + change).getTime() - START);
  expect(read).toEqual([0, 5, 5, 5, 6, -60_000]);
});

test("a timestamp is formatted with microseconds", () => {
  expect(isoTimestamp(START * 1000 + 7)).toBe("2026-01-01T00:00:00.500007Z");
  expect(isoTimestamp(START * 1000 + 999)).toBe("2026-01-01T00:00:00.500999Z");
  expect(millisecondOf(START * 1000 + 999)).toBe(START);
});
