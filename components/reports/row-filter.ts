import { type Filter, filtersIn, isChosen, without, writeFilters } from "@/components/reports/filters";
import type { Patch } from "@/components/reports/view-frame";
import { type Days, plusDays } from "@/components/ui/calendar-days";
import { formatStep } from "@/lib/contract/funnel-notation";

/** What a row of a report filters by: dimensions and their values; null and "" mean unknown or none. */
type Values = Readonly<Record<string, string | null>>;
type Step = Parameters<typeof formatStep>[0];

/**
 * Returns the view that a row leads to: the one of the answer, narrowed to the row's values; without them if the view
 * has them already.
 */
export function filteredBy({ filters }: { filters: object }, values: Values): Patch {
  const current = filtersIn(filters);
  const chosen = Object.entries(values).map(([key, value]): Filter => ({ key, operator: "is", values: [value ?? ""] }));
  const others = chosen.reduce((rest, filter) => without(rest, filter), current);
  const isOn = chosen.every(({ key, values: [value = ""] }) => isChosen(current, key, value) && isSingle(current, key));
  return { filters: writeFilters(isOn ? others : [...others, ...chosen]) };
}

/** Returns the view of a row whose events a regular expression describes; without it if the view has it already. */
export function filteredByEventPattern({ filters }: { filters: object }, pattern: string): Patch {
  const current = filtersIn(filters);
  const chosen: Filter = { key: "event", operator: "matches", values: [pattern] };
  const others = without(current, chosen);
  const isOn = current.some((one) => one.key === "event" && one.operator === "matches" && one.values[0] === pattern);
  return { filters: writeFilters(isOn ? others : [...others, chosen]) };
}

/** The longest name of a goal in a filter. */
const LONGEST_GOAL = 255;

/**
 * Returns the view of the visitors who reached a step of a funnel on the day, and not another one; null for a path that is too
 * long for a filter.
 */
export function filteredByStep(meta: { filters: object }, step: Step, missed?: Step): Patch | null {
  const goals = [[step, "yes"] as const, ...(missed ? [[missed, "no"] as const] : [])];
  const named = goals.map(([one, reached]) => [formatStep(one), reached] as const);
  if (named.some(([goal]) => goal.length > LONGEST_GOAL)) return null;
  return filteredBy(meta, Object.fromEntries(named.map(([goal, reached]) => [`goal:${goal}`, reached])));
}

/** Returns the link of the rows of a series: the days of the bucket; null where they are the whole range. */
export const toBucketOf = (series: readonly { label: string }[], range: Days) => {
  const labels = series.map(({ label }) => label);
  return ({ label }: { label: string }) => narrowedTo(labels, labels.indexOf(label), range);
};

function narrowedTo(labels: readonly string[], place: number, { from, to }: Days): Patch | null {
  const day = (label: string | undefined) => label?.slice(0, 10);
  const [whole, first] = [{ from: from.slice(0, 10), to: to.slice(0, 10) }, day(labels[place]) ?? from];
  const next = labels
    .slice(place + 1)
    .map(day)
    .find((other) => other !== first);
  const [, start = first] = [first, whole.from].sort();
  const isFine = labels[place]?.includes("T");
  const end = isFine ? start : next === undefined ? whole.to : plusDays(next, -1);
  if (start === whole.from && end === whole.to) return null;
  return { period: null, from: start, to: end, interval: null };
}

const isSingle = (filters: readonly Filter[], key: string): boolean =>
  filters.some((one) => one.key === key && one.operator === "is" && one.values.length === 1);
