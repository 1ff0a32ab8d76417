import { expect, test } from "vitest";
import { restNumbers } from "@/lib/analytics/reports/change-numbers";

test("what listed values leave of a ratio has none where they are more than the total, as values of imported days may be", () => {
  const total = { before: { n: 120, d: 4 }, after: { n: 90, d: 3 } };
  const listed = (after: { n: number; d: number }) => [
    { value: "/", before: { n: 60, d: 2 }, after, effect: 0, trend: 0, listed: true, score: 0 },
  ];
  expect(restNumbers("visit_duration", total, listed({ n: 60, d: 2 }))).toMatchObject({ before: 30, after: 30 });
  expect(restNumbers("visit_duration", total, listed({ n: 91, d: 4 }))).toMatchObject({
    before: 30,
    after: null,
    change: null,
  });
  expect(restNumbers("visit_duration", total, listed({ n: 90, d: 3 }))).toMatchObject({ after: null });
});
