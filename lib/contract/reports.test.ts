import { expect, test } from "vitest";
import { REPORT_GROUPS, REPORTS } from "@/lib/contract/reports";

test("each report of a group exists and is in one group, next to the others in menu order", () => {
  const order = Object.keys(REPORTS);
  const grouped = Object.values(REPORT_GROUPS).flatMap((keys) => [...keys] as string[]);
  expect(new Set(grouped).size).toBe(grouped.length);
  for (const keys of Object.values(REPORT_GROUPS)) {
    const first = order.indexOf(keys[0]);
    expect(order.slice(first, first + keys.length)).toEqual(keys);
  }
});
