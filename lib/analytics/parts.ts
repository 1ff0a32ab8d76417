import { dayStarts, type Range } from "@/lib/analytics/period";
import { during, type Scope } from "@/lib/analytics/question";

const MOST_PARTS = 12;
const NOON_MS = 12 * 3600_000;

/** The same scope with other ends of its range. */
export const lasting = (scope: Scope, cut: Partial<Range>): Scope => {
  const range = { ...scope.range, ...cut };
  return { ...scope, range, sealed: null, days: dayStarts(range) };
};

/** Cuts a scope between local days, about where the months meet by which the facts are partitioned. */
export function partsOf(scope: Scope): Scope[] {
  const { days, range } = scope;
  const months = [...new Set(days.map(monthOf))];
  const together = Math.ceil(months.length / MOST_PARTS);
  const firsts = days.filter(
    (day, index) =>
      index === days.findIndex((other) => monthOf(other) === monthOf(day)) &&
      months.indexOf(monthOf(day)) % together === 0,
  );
  return firsts.map((start, index) => during(scope, { start, end: firsts[index + 1] ?? range.end }));
}

const monthOf = (day: Date): string => new Date(day.getTime() + NOON_MS).toISOString().slice(0, 7);
