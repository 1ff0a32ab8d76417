import { dayStarts } from "@/lib/analytics/buckets";
import type { Range } from "@/lib/analytics/period";
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
  const months = days.map(monthOf);
  const firsts = days.filter((_, index) => index === 0 || months[index] !== months[index - 1]);
  const together = Math.ceil(firsts.length / MOST_PARTS);
  const starts = firsts.filter((_, month) => month % together === 0);
  return starts.map((start, index) => during(scope, { start, end: starts[index + 1] ?? range.end }));
}

const monthOf = (day: Date): string => new Date(day.getTime() + NOON_MS).toISOString().slice(0, 7);
