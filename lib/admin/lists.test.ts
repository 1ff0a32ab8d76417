import { expect, test } from "vitest";
import { readLists } from "@/lib/admin/lists";

test("the admin page marks the lists that are more than a year old, oldest first", () => {
  const lists = readLists(new Date("2027-07-01T00:00:00Z")).filter(({ date }) => date !== null);
  const dates = lists.map(({ date }) => `${date}`);
  expect(dates).toEqual([...dates].sort());
  expect(dates.length).toBeGreaterThan(8);
  expect(lists.filter(({ outdated }) => outdated).map(({ date }) => date)).toEqual(
    dates.filter((date) => date < "2026-07-01"),
  );
  expect(readLists(new Date("2026-01-01T00:00:00Z")).some(({ outdated }) => outdated)).toBe(false);
});
