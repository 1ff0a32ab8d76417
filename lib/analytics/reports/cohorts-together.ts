import type { Cohort } from "@/lib/analytics/reports/retention";

export type CohortCells = Pick<Cohort, "visitors" | "cells">;

/**
 * Returns cohorts as one, weighted by their visitors: of each period those for which it is complete, or, if it is for none,
 * all that have begun it.
 *
 * @returns with each cell the number of visitors `of` whom its rate is.
 */
export function cohortsTogether(cohorts: readonly CohortCells[]) {
  const cells = (cohorts[0]?.cells ?? []).map((_, period) => {
    const begun = cohorts.filter(({ cells }) => cells[period]?.visitors != null);
    const complete = begun.filter(({ cells }) => !cells[period]?.partial);
    const counted = complete.length > 0 ? complete : begun;
    const of = sum(counted.map(({ visitors }) => visitors));
    const back = sum(counted.map(({ cells }) => cells[period]?.visitors));
    return of > 0
      ? { visitors: back, rate: back / of, partial: complete.length === 0, of }
      : { visitors: null, rate: null, partial: false, of };
  });
  return { visitors: sum(cohorts.map(({ visitors }) => visitors)), cells };
}

const sum = (numbers: readonly (number | null | undefined)[]): number =>
  numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
