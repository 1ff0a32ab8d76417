import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type retention from "@/lib/operations/analytics.retention";
import { msg, t } from "@/lib/texts/translate";

export type RetentionAnswer = z.output<(typeof retention)["output"]>;
export type CohortRow = RetentionAnswer["cohorts"][number];

/** Returns the name of a period: "Week 3". */
export const periodName = (unit: RetentionAnswer["cohort"], period: number): string =>
  t("{unit, select, day {Day} week {Week} other {Month}} {number}", { unit, number: period });

export function retentionSheets({ cohorts, cohort }: RetentionAnswer): Sheet[] {
  const periods = Array.from({ length: cohorts[0]?.cells.length ?? 0 }, (_, period) => period);
  return [
    sheetOf<CohortRow>("cohorts", msg("Cohorts"), cohorts, [
      column(msg("First visit"), "date", (row) => row.start),
      column(msg("Visitors"), "count", (row) => row.visitors),
      ...periods.map((period) =>
        column<CohortRow>(periodName(cohort, period), "fraction", (row) => row.cells[period]?.rate ?? null),
      ),
    ]),
  ];
}
