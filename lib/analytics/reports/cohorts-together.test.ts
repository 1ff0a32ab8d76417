import { expect, test } from "vitest";
import { type CohortCells, cohortsTogether } from "@/lib/analytics/reports/cohorts-together";

const cell = (visitors: number | null, partial = false) => ({ visitors, rate: null, partial });
const cohort = (visitors: number, ...cells: CohortCells["cells"]): CohortCells => ({ visitors, cells });

test("cohorts together weigh by their visitors, and count a period for those that completed it", () => {
  const older = cohort(10, cell(10), cell(4), cell(1, true));
  const newer = cohort(5, cell(5), cell(5, true), cell(null));
  expect(cohortsTogether([older, newer])).toEqual({
    visitors: 15,
    cells: [
      { visitors: 15, rate: 1, partial: false, of: 15 },
      { visitors: 4, rate: 0.4, partial: false, of: 10 },
      { visitors: 1, rate: 0.1, partial: true, of: 10 },
    ],
  });
});

test("a period that no cohort has begun is unknown", () => {
  expect(cohortsTogether([cohort(3, cell(3), cell(null))]).cells[1]).toEqual({
    visitors: null,
    rate: null,
    partial: false,
    of: 0,
  });
});
