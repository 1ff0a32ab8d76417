import type { CohortRow } from "@/components/reports/retention/sheets";

export type CohortCells = Pick<CohortRow, "visitors" | "cells">;

/** Returns cohorts as one: of each period those for which it is complete, or, if it is for none, all that have begun it. */
export function cohortsTogether(cohorts: readonly CohortCells[]): CohortCells {
  const cells = (cohorts[0]?.cells ?? []).map((_, period) => {
    const begun = cohorts.filter(({ cells }) => cells[period]?.visitors != null);
    const complete = begun.filter(({ cells }) => !cells[period]?.partial);
    const counted = complete.length > 0 ? complete : begun;
    const people = sum(counted.map(({ visitors }) => visitors));
    const back = sum(counted.map(({ cells }) => cells[period]?.visitors));
    return people > 0
      ? { visitors: back, rate: back / people, partial: complete.length === 0 }
      : { visitors: null, rate: null, partial: false };
  });
  return { visitors: sum(cohorts.map(({ visitors }) => visitors)), cells };
}

const sum = (numbers: readonly (number | null | undefined)[]): number =>
  numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
