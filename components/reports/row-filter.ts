import { type Filter, filtersOfQuery, isChosen, without, writeFilters } from "@/components/reports/filters";
import type { Patch } from "@/components/reports/view-frame";

/** What a row of a report filters by: dimensions and their values; null and "" mean unknown or none. */
type Values = Readonly<Record<string, string | null>>;

/**
 * Returns the view that a row leads to: the one of the answer, narrowed to the row's values; without them if the view
 * has them already.
 */
export function filteredBy({ filters }: { filters: object }, values: Values): Patch {
  const current = filtersOfQuery({ filters: JSON.stringify(filters) }) ?? [];
  const chosen = Object.entries(values).map(([key, value]): Filter => ({ key, operator: "is", values: [value ?? ""] }));
  const others = chosen.reduce((rest, filter) => without(rest, filter), current);
  const isOn = chosen.every(({ key, values: [value = ""] }) => isChosen(current, key, value) && isSingle(current, key));
  return { filters: writeFilters(isOn ? others : [...others, ...chosen]) };
}

/** Returns the view of a row whose values a regular expression describes; without it if the view has it already. */
export function filteredByPattern({ filters }: { filters: object }, key: string, pattern: string): Patch {
  const current = filtersOfQuery({ filters: JSON.stringify(filters) }) ?? [];
  const chosen: Filter = { key, operator: "matches", values: [pattern] };
  const others = without(current, chosen);
  const isOn = current.some((one) => one.key === key && one.operator === "matches" && one.values[0] === pattern);
  return { filters: writeFilters(isOn ? others : [...others, chosen]) };
}

const isSingle = (filters: readonly Filter[], key: string): boolean =>
  filters.some((one) => one.key === key && one.operator === "is" && one.values.length === 1);
